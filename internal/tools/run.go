package tools

import (
	"context"
	"errors"
	"fmt"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// Reader reads search tools of the service. Its errors may say more by the methods
// NotFound, NotOffered and MayHaveRun.
type Reader interface {
	Get(ctx context.Context, kind wire.Kind, id int64) ([]byte, error)
}

// Service reads and writes search tools. An operation that it lacks errs with NotOffered:
// lists, and some of the others for some kinds. Answers of writes hold the tool's ID.
type Service interface {
	Reader
	Create(ctx context.Context, kind wire.Kind, body []byte) ([]byte, error)
	Replace(ctx context.Context, kind wire.Kind, id int64, body []byte) ([]byte, error)
	Delete(ctx context.Context, kind wire.Kind, id int64) error
	List(ctx context.Context, kind wire.Kind) ([][]byte, error) // of the engine; no synonyms
	ListSynonyms(ctx context.Context, language string) ([][]byte, error)
}

// Ledger keeps what is known of search tools.
type Ledger interface {
	PutTool(tool document.Tool) error
	DropTool(kind, name string) error
	RenameTool(kind, from, to string) error
}

func notFound(err error) bool {
	var e interface{ NotFound() bool }
	return errors.As(err, &e) && e.NotFound()
}

func notOffered(err error) bool {
	var e interface{ NotOffered() bool }
	return errors.As(err, &e) && e.NotOffered()
}

// mayHaveRun takes for granted that a call was carried out unless its error says no.
func mayHaveRun(err error) bool {
	var e interface{ MayHaveRun() bool }
	return !errors.As(err, &e) || e.MayHaveRun()
}

// look reads a tool as the service shows it now. A kind that it does not show is left
// unread: synonyms, where that optional operation is missing.
func (f *facts) look(ctx context.Context, r Reader) error {
	if f.known == nil || f.known.ID == 0 {
		return nil
	}
	now, err := r.Get(ctx, f.Kind, f.known.ID)
	switch {
	case err == nil:
		f.now = now
	case notOffered(err) && f.Kind == wire.KindSynonyms:
	case notFound(err):
		f.gone = true
	default:
		return fmt.Errorf("%s %q: %w", f.Kind, f.Name, err)
	}
	return nil
}

// Leave is what the owner allows beyond the ordinary.
type Leave struct {
	Force   bool // overwrite what was changed by hand
	Again   bool // create again what may have been created
	Deletes bool // delete however much left the file
}

func (l Leave) gather(declared []Declared, known []document.Tool) []facts {
	all := gather(declared, known)
	if !l.Deletes {
		brake(all)
	}
	return all
}

// Plan returns what Apply would do, and writes nothing. A nil reader, or one that fails,
// leaves the comparison to what the ledger knows; why says so then.
func Plan(ctx context.Context, declared []Declared, known []document.Tool, r Reader, leave Leave) (steps []Step, why error) {
	for _, f := range leave.gather(declared, known) {
		if r != nil && why == nil {
			why = f.look(ctx, r)
		}
		s := decide(f, leave.Force, leave.Again)
		f.remark(&s, r != nil && why == nil)
		steps = append(steps, s)
	}
	return steps, why
}

// remark says what the operation of a step means for its kind.
func (f *facts) remark(s *Step, read bool) {
	switch {
	case s.Text != "":
	case f.before != "":
		s.Text = fmt.Sprintf("it was %q before", f.before)
	case s.Op == OpDelete && s.State == Planned && f.Kind == wire.KindRanking:
		s.Text = "where the service can't delete rankings, its pages and terms are emptied"
	case f.Kind == wire.KindSynonyms && read && f.now == nil && s.Op != OpCreate:
		s.Text = "the service does not show synonyms: changes by hand can't be seen"
	}
}

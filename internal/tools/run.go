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
	List(ctx context.Context, kind wire.Kind, language string) ([][]byte, error) // the language is that of synonyms
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

// look reads a tool as the service shows it now. Synonyms are left unread where the
// service lacks that optional operation.
func (f *facts) look(ctx context.Context, r Reader) (err error) {
	if f.known == nil || f.known.ID == 0 {
		return nil
	}
	f.now, err = r.Get(ctx, f.Kind, f.known.ID)
	f.unshown = notOffered(err) && f.Kind == wire.KindSynonyms
	f.gone = notFound(err)
	if err == nil || f.unshown || f.gone {
		return nil
	}
	f.now = nil
	return err
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
			if why = f.look(ctx, r); why != nil {
				why = fmt.Errorf("%s %q: %w", f.Kind, f.Name, why)
			}
		}
		s := decide(f, leave.Force, leave.Again)
		f.remark(&s)
		steps = append(steps, s)
	}
	return steps, why
}

// remark says what the operation of a step means for its kind.
func (f *facts) remark(s *Step) {
	switch {
	case s.Text != "":
	case f.before != "":
		s.Text = fmt.Sprintf("it was %q before", f.before)
	case s.Op == OpDelete && s.State == Planned && f.Kind == wire.KindRanking:
		s.Text = "where the service can't delete rankings, its pages and terms are emptied"
	case f.unshown && s.Op != OpCreate:
		s.Text = "the service does not show synonyms: changes by hand can't be seen"
	}
}

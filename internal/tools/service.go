package tools

import (
	"context"
	"errors"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// Reader reads search tools of the service. Its errors may say more by the methods
// NotFound, NotOffered and MayHaveRun.
type Reader interface {
	Get(ctx context.Context, kind wire.Kind, id int64) ([]byte, error)
	List(ctx context.Context, kind wire.Kind, language string) ([][]byte, error) // the language is that of synonyms
}

// Service reads and writes search tools. An operation that it lacks errs with NotOffered:
// lists, and some of the others for some kinds. Answers of writes hold the tool's ID.
type Service interface {
	Reader
	Create(ctx context.Context, kind wire.Kind, body []byte) ([]byte, error)
	Replace(ctx context.Context, kind wire.Kind, id int64, body []byte) ([]byte, error)
	Delete(ctx context.Context, kind wire.Kind, id int64) error
}

// Ledger keeps what is known of search tools.
type Ledger interface {
	PutTool(tool document.Tool) error
	DropTool(kind, name string) error
}

// without is the operations that the service was seen not to have in this run, by name
// and kind, and the errors that said so.
type without map[string]error

// ask makes a call, unless the service is known to lack its operation.
func ask[T any](w without, op string, kind wire.Kind, call func() (T, error)) (got T, err error) {
	name := op + " " + string(kind)
	if w[name] != nil {
		return got, w[name]
	}
	got, err = call()
	if notOffered(err) {
		w[name] = err
	}
	return got, err
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

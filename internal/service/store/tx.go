package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"sitesync/internal/wire"
)

// connect opens a pool of connections to the file, with the SQL functions of the store's statements.
func connect(path string, pragmas ...string) (*sql.DB, error) {
	settings := url.Values{"modeof": {path}, "_pragma": append([]string{"busy_timeout(60000)", "journal_mode(wal)", "temp_store(memory)"}, pragmas...)}
	name := "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + settings.Encode()
	return driver.Open(name, func(conn *sqlite3.Conn) error {
		pure := sqlite3.DETERMINISTIC | sqlite3.INNOCUOUS
		moment := func(value string) (float64, bool) { from, _, ok := ParseDates(value); return from, ok }
		return errors.Join(
			fts5.RegisterCustom(conn, func(api *fts5.API) error {
				return api.CreateTokenizer("tokens", func([]string) (fts5.Tokenizer, error) { return tokens{}, nil })
			}),
			conn.CreateFunction("back", 1, pure, func(c sqlite3.Context, arg ...sqlite3.Value) { c.ResultText(Back(arg[0].Text())) }),
			conn.CreateFunction("edits", 2, pure, func(c sqlite3.Context, arg ...sqlite3.Value) {
				c.ResultInt(edits(arg[0].Text(), arg[1].Text()))
			}),
			conn.CreateFunction("day", 1, pure, func(c sqlite3.Context, arg ...sqlite3.Value) {
				if day := day(arg[0].Text()); day != "" {
					c.ResultText(day)
				}
			}),
			conn.CreateFunction("number", 1, pure, typed(ParseNumber)),
			conn.CreateFunction("moment", 1, pure, typed(moment)))
	})
}

// typed returns an SQL function that parses a value to a number; the result is NULL for an invalid value.
func typed(parse func(string) (float64, bool)) sqlite3.ScalarFunction {
	return func(c sqlite3.Context, arg ...sqlite3.Value) {
		if number, ok := parse(arg[0].Text()); ok {
			c.ResultFloat(number)
		}
	}
}

// tokens is the FTS5 tokenizer. Its input is already a list of tokens separated by spaces. A token with the
// prefix ~ has the same position as the token before it.
type tokens struct{}

func (tokens) Tokenize(_ fts5.TokenizeFlag, text, _ string, token fts5.TokenCallback) error {
	for start := 0; start < len(text); {
		end := len(text)
		if space := strings.IndexByte(text[start:], ' '); space >= 0 {
			end = start + space
		}
		flag, from := fts5.TokenFlag(0), start
		if from < end && text[from] == '~' {
			flag, from = fts5.TOKEN_COLOCATED, from+1
		}
		if from < end {
			if err := token(flag, "", from, end); err != nil {
				return err
			}
		}
		start = end + 1
	}
	return nil
}

// Tx is a transaction. It prepares each statement once.
type Tx struct {
	*sql.Tx
	statements map[string]*sql.Stmt
	counts     map[spoken]map[string]int // changed document counts of words; Update writes them
}

func run(ctx context.Context, db *sql.DB, look bool, work func(*Tx) error) error {
	begun, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: look})
	if err != nil {
		return err
	}
	defer func() { _ = begun.Rollback() }() // has no effect after Commit
	err = work(&Tx{begun, map[string]*sql.Stmt{}, map[spoken]map[string]int{}})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil || look:
		return err
	}
	return begun.Commit()
}

func (tx *Tx) prepared(text string) (s *sql.Stmt, err error) {
	if s = tx.statements[text]; s == nil {
		if s, err = tx.Prepare(text); err == nil {
			tx.statements[text] = s
		}
	}
	return s, err
}

// Do runs a statement. If a statement inserts several rows and may fail between them, use INSERT OR IGNORE:
// otherwise the full-text index must flush to disk for every such statement.
func (tx *Tx) Do(text string, args ...any) error {
	_, err := tx.Insert(text, args...)
	return err
}

// Insert runs a statement, and returns the rowid of the last inserted row.
func (tx *Tx) Insert(text string, args ...any) (int64, error) {
	s, err := tx.prepared(text)
	if err != nil {
		return 0, err
	}
	result, err := s.Exec(args...)
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// Each yields the rows of a query. Each row is ready for Scan until the next iteration.
func (tx *Tx) Each(text string, args ...any) iter.Seq2[*sql.Rows, error] {
	return func(yield func(*sql.Rows, error) bool) {
		s, err := tx.prepared(text)
		if err != nil {
			yield(nil, err)
			return
		}
		rows, err := s.Query(args...)
		if err != nil {
			yield(nil, err)
			return
		}
		defer func() { _ = rows.Close() }() // rows.Err returns the error of reading
		for rows.Next() {
			if !yield(rows, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(nil, err)
		}
	}
}

// Rows returns the rows of a query. into returns pointers into one element, which receive the columns of a
// row.
func Rows[T any](tx *Tx, into func(*T) []any, text string, args ...any) (all []T, err error) {
	for rows, err := range tx.Each(text, args...) {
		var one T
		if err == nil {
			err = rows.Scan(into(&one)...)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// Column returns the rows of a query with a single column.
func Column[T any](tx *Tx, text string, args ...any) ([]T, error) {
	return Rows(tx, func(one *T) []any { return []any{one} }, text, args...)
}

// Key names one document of a customer.
type Key struct{ Crawler, ID string }

// List yields the rows of a query with a single column, all from one read transaction. A value is valid
// only until the next iteration.
func (s *Store) List(text string, args ...any) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		err := s.View(context.Background(), func(tx *Tx) error {
			for rows, err := range tx.Each(text, args...) {
				var value sql.RawBytes
				if err == nil {
					err = rows.Scan(&value)
				}
				if err != nil || !yield(value, nil) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			yield(nil, fmt.Errorf("read the local service's store: %w", err))
		}
	}
}

// Decoded yields the rows of List, decoded from JSON.
func Decoded[T any](s *Store, text string, args ...any) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for stored, err := range s.List(text, args...) {
			var one T
			if err == nil {
				err = json.Unmarshal(stored, &one)
			}
			if !yield(one, err) {
				return
			}
		}
	}
}

// All returns the rows of Decoded as a slice.
func All[T any](s *Store, text string, args ...any) ([]T, error) {
	all := []T{}
	for one, err := range Decoded[T](s, text, args...) {
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, nil
}

// Stored calls a function with the current version of each document, in the order of keys. Deleted
// documents are skipped. It returns ctx's error if ctx ends.
func (s *Store) Stored(ctx context.Context, customer int64, keys []Key, call func(wire.Document)) error {
	return s.View(ctx, func(tx *Tx) error {
		for _, key := range keys {
			doc, number, err := (&crawler{s, tx, customer, key.Crawler}).get(key.ID)
			if err != nil {
				return err
			}
			if number != 0 {
				call(doc)
			}
		}
		return nil
	})
}

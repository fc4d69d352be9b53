package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/ncruces/go-sqlite3"
	"github.com/ncruces/go-sqlite3/driver"
	"github.com/ncruces/go-sqlite3/ext/fts5"

	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// connect opens a pool of connections to the file, with the SQL functions that the store's statements call.
func connect(path string, pragmas ...string) (*sql.DB, error) {
	pragmas = append([]string{"busy_timeout(60000)", "journal_mode(wal)", "temp_store(memory)"}, pragmas...)
	settings := url.Values{"modeof": {path}, "_pragma": pragmas}
	name := "file:" + (&url.URL{Path: filepath.ToSlash(path)}).EscapedPath() + "?" + settings.Encode()
	return driver.Open(name, func(conn *sqlite3.Conn) error {
		moment := func(value string) (float64, bool) { from, _, ok := ParseDates(value); return from, ok }
		return errors.Join(
			fts5.RegisterCustom(conn, func(api *fts5.API) error {
				return api.CreateTokenizer("tokens", func([]string) (fts5.Tokenizer, error) { return tokens{}, nil })
			}),
			conn.CreateFunction("edits", 2, pure, func(c sqlite3.Context, arg ...sqlite3.Value) {
				c.ResultInt(edits(arg[0].Text(), arg[1].Text()))
			}),
			conn.CreateFunction("back", 1, pure, texts(Back)),
			conn.CreateFunction("day", 1, pure, texts(day)),
			conn.CreateFunction("plain", 1, pure, texts(plain)),
			conn.CreateFunction("number", 1, pure, typed(ParseNumber)),
			conn.CreateFunction("moment", 1, pure, typed(moment)))
	})
}

const pure = sqlite3.DETERMINISTIC | sqlite3.INNOCUOUS

// typed returns an SQL function that parses a value to a number; the result is NULL for an invalid value.
func typed(parse func(string) (float64, bool)) sqlite3.ScalarFunction {
	return func(c sqlite3.Context, arg ...sqlite3.Value) {
		if number, ok := parse(arg[0].Text()); ok {
			c.ResultFloat(number)
		}
	}
}

// texts returns an SQL function that converts a text; an empty result becomes NULL.
func texts(convert func(string) string) sqlite3.ScalarFunction {
	return func(c sqlite3.Context, arg ...sqlite3.Value) {
		if converted := convert(arg[0].Text()); converted != "" {
			c.ResultText(converted)
		}
	}
}

func plain(query string) string { return strings.Join(strings.Fields(strings.ToLower(query)), " ") }

// tokens is the FTS5 tokenizer. Its input is already a list of tokens separated by spaces. A token with the
// prefix ~ has the same position as the token before it.
type tokens struct{}

func (tokens) Tokenize(_ fts5.TokenizeFlag, text, _ string, token fts5.TokenCallback) error {
	end := -1
	for word := range strings.SplitSeq(text, " ") {
		start := end + 1
		end = start + len(word)
		flag := fts5.TokenFlag(0)
		if strings.HasPrefix(word, "~") {
			flag, start = fts5.TOKEN_COLOCATED, start+1
		}
		if start < end {
			if err := token(flag, "", start, end); err != nil {
				return err
			}
		}
	}
	return nil
}

// Tx is a transaction. It prepares each statement once.
type Tx struct {
	*sql.Tx
	statements map[string]*sql.Stmt
	counts     map[spoken]map[string]int // how much each word's number of documents changes
}

func run(ctx context.Context, db *sql.DB, look bool, work func(*Tx) error) error {
	begun, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: look})
	if err != nil {
		return err
	}
	defer func() { _ = begun.Rollback() }()
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

// Do runs a statement. To insert several rows, use INSERT OR IGNORE: before a statement that may fail after
// its first row, SQLite writes the pending part of the full-text index to disk.
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

// Rows returns the rows of a query. into returns pointers to the fields that receive a row's columns.
func Rows[T any](tx *Tx, into func(*T) []any, text string, args ...any) ([]T, error) {
	all := []T{}
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

// All returns the rows of a query with a single column, decoded from JSON.
func All[T any](s *Store, text string, args ...any) (all []T, err error) {
	err = s.View(context.Background(), func(tx *Tx) error {
		all, err = Rows(tx, func(one *T) []any { return []any{sqlite3.JSON(one)} }, text, args...)
		return err
	})
	return all, err
}

// maxList is the size in bytes at which List stops. The value that crosses the limit is still included.
const maxList = 4 << 20

// List returns a 200 response with a query's single JSON column as an array, cut off after maxList bytes.
func (s *Store) List(text string, args ...any) (web.Reply, error) {
	body := []byte("[")
	err := s.View(context.Background(), func(tx *Tx) error {
		for rows, err := range tx.Each(text, args...) {
			var value sql.RawBytes
			if err == nil {
				err = rows.Scan(&value)
			}
			if err != nil {
				return err
			}
			if body = append(append(body, value...), ','); len(body) > maxList {
				break
			}
		}
		return nil
	})
	return web.Reply{Status: http.StatusOK, Body: append(bytes.TrimSuffix(body, []byte(",")), "]\n"...)}, err
}

// Key names one document of a customer.
type Key struct{ Crawler, ID string }

// Stored calls visit with the current version of each document that keys names, in the order of keys. Deleted
// documents are skipped. It returns ctx's error if ctx ends.
func (s *Store) Stored(ctx context.Context, customer int64, keys []Key, visit func(wire.Document)) error {
	return s.View(ctx, func(tx *Tx) error {
		for _, key := range keys {
			doc, number, err := (&crawler{s, tx, customer, key.Crawler}).get(key.ID)
			if err != nil {
				return err
			}
			if number != 0 {
				visit(doc)
			}
		}
		return nil
	})
}

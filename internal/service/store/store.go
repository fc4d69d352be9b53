package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"runtime"
	"time"

	"github.com/gofrs/flock"
	"github.com/ncruces/go-sqlite3"

	"sitesync/internal/service/words"
)

const (
	application   = 0x73697465 // SQLite application_id that identifies files of this package
	schemaVersion = 6
)

// tables creates all tables of the file. No table may be created later, because a schema change breaks
// statements that use the full-text index.
const tables = `
CREATE TABLE meta(key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID;
CREATE TABLE document(id INTEGER PRIMARY KEY, customer INT, crawler TEXT, name TEXT, file INT,
	UNIQUE(customer, crawler, name));
CREATE INDEX document_name ON document(customer, name);
CREATE TABLE body(id INTEGER PRIMARY KEY, json BLOB);
CREATE TABLE field(name TEXT, id INT, value TEXT, PRIMARY KEY(name, id)) WITHOUT ROWID;
CREATE INDEX field_id ON field(id);
CREATE INDEX field_url ON field(value) WHERE name = 'Url';
CREATE TABLE word(customer INT, language TEXT, word TEXT, documents INT,
	PRIMARY KEY(customer, word, language)) WITHOUT ROWID;
CREATE INDEX word_gone ON word(documents) WHERE documents <= 0;
CREATE INDEX word_back ON word(customer, language, back(word));
CREATE TABLE queue(customer INT, crawler TEXT, url TEXT, PRIMARY KEY(customer, crawler, url)) WITHOUT ROWID;
CREATE TABLE active(customer INT, crawler TEXT, PRIMARY KEY(customer, crawler)) WITHOUT ROWID;
CREATE TABLE event(id INTEGER PRIMARY KEY AUTOINCREMENT, customer INT, engine INT, kind TEXT, uuid TEXT, json BLOB);
CREATE INDEX event_engine ON event(customer, engine, id);
CREATE TABLE kept(bytes INT);
INSERT INTO kept VALUES(0);
CREATE TRIGGER event_more AFTER INSERT ON event BEGIN UPDATE kept SET bytes = bytes + length(new.json); END;
CREATE TRIGGER event_less AFTER DELETE ON event BEGIN UPDATE kept SET bytes = bytes - length(old.json); END;
CREATE TABLE tool(customer INT, kind TEXT, id INT, json BLOB, PRIMARY KEY(customer, kind, id));
CREATE VIRTUAL TABLE find USING fts5(title, description, content, rest,
	content='', contentless_delete=1, tokenize='tokens');
INSERT INTO find(find, rank) VALUES('hashsize', 16777216), ('automerge', 8);
CREATE TRIGGER document_less AFTER DELETE ON document BEGIN
	DELETE FROM body WHERE id = old.id;
	DELETE FROM field WHERE id = old.id;
	DELETE FROM find WHERE rowid = old.id;
END;
CREATE TABLE last(customer INT, kind TEXT, id INT, PRIMARY KEY(customer, kind)) WITHOUT ROWID;`

// Store is the open SQLite file of the local search service. Close it after the last call.
type Store struct {
	Secret []byte        // random key of this file, which signs the IDs that the service issues
	Words  *words.Reader // converts words to the forms that the index contains

	lock    *flock.Flock
	writer  *sql.DB
	readers *sql.DB
}

// ErrHeld is returned by Open when another process has the file open.
var ErrHeld = errors.New("another process holds it")

// Open opens the file at path, and creates it if it is missing. If another process has the file open, Open
// waits up to a second. Reads run beside the one write transaction, and see what earlier transactions wrote.
func Open(path string) (*Store, error) {
	s := &Store{Words: words.NewReader(), lock: flock.New(path+"-lock", flock.SetPermissions(0o600))}
	if err := s.open(path); err != nil {
		err = fmt.Errorf("open the local service's store %s: %w%s", path, err, advice(err))
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) open(path string) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	switch held, err := s.lock.TryLockContext(ctx, 20*time.Millisecond); {
	case errors.Is(err, context.DeadlineExceeded), err == nil && !held:
		return ErrHeld
	case err != nil:
		return err
	}
	for _, name := range []string{path, path + "-shm"} { // other users could read files that SQLite creates
		file, err := os.OpenFile(name, os.O_RDONLY|os.O_CREATE, 0o600) //nolint:gosec // the user chose the path
		if err != nil {
			return err
		}
		_ = file.Close() // nothing was written, so closing can't lose data
	}
	s.writer, err = connect(path, "synchronous(full)", "cache_size(-32000)", "journal_size_limit(67108864)")
	if err != nil {
		return err
	}
	s.writer.SetMaxOpenConns(1)
	if err := s.Update(s.claim); err != nil {
		return err
	}
	s.readers, err = connect(path, "cache_size(-8000)", "query_only(on)")
	if err == nil {
		s.readers.SetMaxOpenConns(2 * runtime.GOMAXPROCS(0))
		s.readers.SetMaxIdleConns(2 * runtime.GOMAXPROCS(0))
	}
	return err
}

// claim creates the tables in an empty file. It refuses files of other programs and of other versions.
func (s *Store) claim(tx *Tx) error {
	var app, version, made int
	err := tx.QueryRow(`SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id, pragma_user_version`).Scan(&app, &version, &made)
	switch {
	case err != nil:
		return err
	case made == 0:
		secret := make([]byte, 32)
		_, _ = rand.Read(secret)
		marks := fmt.Sprintf("PRAGMA application_id=%d; PRAGMA user_version=%d;", application, schemaVersion)
		_, err := tx.Tx.Exec(marks + tables)
		if err = errors.Join(err, tx.Do("INSERT INTO meta VALUES('secret', ?)", secret)); err != nil {
			return err
		}
	case app != application:
		return errors.New("the file is a database of something else; name another file")
	case version != schemaVersion:
		const text = "its schema is %d and this program reads %d; use the program that made it, or delete the file"
		return fmt.Errorf(text, version, schemaVersion)
	}
	return tx.QueryRow("SELECT value FROM meta WHERE key = 'secret'").Scan(&s.Secret)
}

func advice(err error) string {
	switch {
	case errors.Is(err, ErrHeld):
		return "; end that one or name another file"
	case errors.Is(err, sqlite3.NOTADB), errors.Is(err, sqlite3.CORRUPT):
		return ": the file is damaged, something else, or of a version that kept it otherwise; " +
			"name another file and push everything again"
	}
	return ""
}

// Close closes the file after running transactions have ended.
func (s *Store) Close() error {
	var errs []error
	for _, db := range []*sql.DB{s.readers, s.writer} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if err := errors.Join(append(errs, s.lock.Close())...); err != nil {
		return fmt.Errorf("close the local service's store: %w", err)
	}
	return nil
}

// Update calls change in a write transaction. If Update returns nil, all writes are on disk and searches
// find them. If it returns an error, nothing was written.
func (s *Store) Update(change func(*Tx) error) error {
	return run(context.Background(), s.writer, false, func(tx *Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		return tx.count()
	})
}

// View calls look in a read transaction. It returns ctx's error if ctx ends.
func (s *Store) View(ctx context.Context, look func(*Tx) error) error {
	return run(ctx, s.readers, true, look)
}

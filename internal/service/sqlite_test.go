package service

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// BenchmarkSQLite does with SQLite's FTS5 what BenchmarkSearch does, for comparison: the same
// documents in the same batches, each a transaction, and the same queries. Without HTTP, JSON
// and a store of its own it has less to do.
func BenchmarkSQLite(b *testing.B) {
	program, err := exec.LookPath("sqlite3")
	if err != nil {
		b.Skip("no sqlite3 on this machine")
	}
	for b.Loop() {
		shell := openSQLite(b, program)
		shell.run(b, "PRAGMA journal_mode=WAL; CREATE VIRTUAL TABLE d USING fts5(url, title, description, content, tokenize='porter unicode61');")
		write := newWriter()
		start := time.Now()
		for n := 0; n < *benchDocs; n += 100 {
			shell.run(b, sqlBatch(b, write.batch(n, min(100, *benchDocs-n))))
		}
		b.ReportMetric(float64(*benchDocs)/time.Since(start).Seconds(), "docs/s")
		for _, words := range []int{0, 20} {
			name := map[int]string{20: "20-words-"}[words]
			benchTimes(b, name, func() {
				count := words
				if count == 0 {
					count = 1 + write.r.IntN(4)
				}
				match := strings.Join(strings.Fields(write.query(count)), " OR ")
				shell.run(b, fmt.Sprintf("SELECT count(*) FROM d WHERE d MATCH '%s'; SELECT url FROM d WHERE d MATCH '%s' ORDER BY rank LIMIT 10;", match, match))
			})
		}
	}
}

func sqlBatch(b *testing.B, batch []byte) string {
	var docs []struct{ Fields map[string]string }
	if err := json.Unmarshal(batch, &docs); err != nil {
		b.Fatal(err)
	}
	var sql strings.Builder
	sql.WriteString("BEGIN;\n")
	for _, d := range docs {
		fmt.Fprintf(&sql, "INSERT INTO d VALUES('%s','%s','%s','%s');\n", d.Fields["Url"], d.Fields["Title"], d.Fields["Description"], d.Fields["Content"])
	}
	sql.WriteString("COMMIT;")
	return sql.String()
}

// A sqlite is a shell of SQLite's that is spoken to.
type sqlite struct {
	in  io.Writer
	out *bufio.Reader
}

func openSQLite(b *testing.B, program string) *sqlite {
	cmd := exec.CommandContext(b.Context(), program, filepath.Join(b.TempDir(), "fts.db"))
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return &sqlite{in, bufio.NewReader(out)}
}

// run runs statements, and waits for their end.
func (s *sqlite) run(b *testing.B, sql string) {
	if _, err := io.WriteString(s.in, sql+"\n.print ended\n"); err != nil {
		b.Fatal(err)
	}
	for {
		line, err := s.out.ReadString('\n')
		if err != nil {
			b.Fatal(err)
		}
		if line == "ended\n" {
			return
		}
	}
}

package worker

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sitesync/internal/fleet/snapshot"
	"sitesync/internal/own"
)

// body reads a text slowly: before each byte something may happen.
type body struct {
	text   string
	before func(left int)
}

func (b *body) Read(p []byte) (int, error) {
	b.before(len(b.text))
	if b.text == "" {
		return 0, io.EOF
	}
	n := copy(p[:1], b.text)
	b.text = b.text[n:]
	return n, nil
}

// A call needs more time left than it may take. A worker that was stopped in the middle of
// one, and wakes when its lease is over, does not send the rest of it.
func TestNothingIsSentAfterTheLease(t *testing.T) {
	t.Parallel()
	var heard []string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err == nil {
			heard = append(heard, string(raw))
		}
	}))
	left := time.Minute
	var lost error
	g := &guard{base: http.DefaultTransport, left: func() time.Duration { return left }, call: 30 * time.Second, end: func(err error) { lost = err }}
	client := &http.Client{Transport: g}
	call := func(before func(int)) error {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, server.URL, &body{"documents", before})
		if err != nil {
			t.Fatal(err)
		}
		r.ContentLength = int64(len("documents"))
		answer, err := client.Do(r)
		if err == nil {
			err = answer.Body.Close()
		}
		return err
	}
	if err := call(func(int) {}); err != nil || lost != nil {
		t.Fatalf("a call within the lease: %v, %v", err, lost)
	}
	left = 30 * time.Second
	if err := call(func(int) { t.Error("something of the call was read") }); !errors.Is(err, errGuard) || !errors.Is(lost, errGuard) {
		t.Errorf("a call that may take longer than the lease: %v", err)
	}
	left, lost = time.Minute, nil
	stopped := func(rest int) {
		if rest == 4 {
			left = 0 // it slept
		}
	}
	if err := call(stopped); !errors.Is(err, errGuard) || lost == nil {
		t.Errorf("a call in which the lease ended: %v", err)
	}
	server.Close() // it has heard all that there was
	if got := strings.Join(heard, "|"); got != "documents" {
		t.Errorf("the service heard %q", got)
	}
}

// A worker that was killed finds only its own files in its folder, so it starts again.
func TestFolderOfAKilledWorkerIsItsOwn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{fileConfig, filePlan, snapshot.LedgerFile, snapshot.LedgerFile + ".note"} {
		path := filepath.Join(dir, "site", name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := own.Worker.Claim(dir); err != nil {
		t.Error(err)
	}
}

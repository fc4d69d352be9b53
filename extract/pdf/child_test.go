package pdf

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sitesync/internal/testsite"
)

var good = []byte(testsite.PDF("", "Well read"))

// Whatever a child does, the parent says what it was and continues with another.
func TestMisbehavingChildren(t *testing.T) {
	table := []struct{ how, want string }{
		{"hangs", "it took longer than 200ms"},
		{"dies", "its child ended"},
		{"dies at once", "its child ended, perhaps for want of memory"},
		{"half", "its child ended"},
		{"rubbish", "gave an answer that can't be read"},
		{"endless", "gave an answer that can't be read"},
		{"no CBOR", "gave an answer that can't be read"},
		{"no text", "gave an answer that can't be read"},
		{"out of turn", "gave an answer that can't be read"},
		{"not ready", "no memory for PDFium"},
	}
	if runtime.GOOS == "linux" {
		table = append(table, struct{ how, want string }{"takes memory", "MB of memory"})
	}
	for _, row := range table {
		t.Run(row.how, func(t *testing.T) {
			r := newReader(t, misbehaving(t, row.how)...)
			switch row.how {
			case "hangs":
				r.limit = 200 * time.Millisecond
			case "takes memory":
				r.memory = 250 << 20
			}
			if _, err := r.Read(good); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v, want %q", err, row.want)
			}
			r.limit, r.memory = fileTime, childMemory
			if file, err := r.Read(good); err != nil || !slices.Equal(file.Blocks, []string{"Well read"}) {
				t.Errorf("the next file: %q, %v", file.Blocks, err)
			}
			if len(r.idle) != 1 {
				t.Errorf("%d children are left", len(r.idle))
			}
		})
	}
}

// A file does not pay for what its child read before.
func TestUsedChildIsReplaced(t *testing.T) {
	r := newReader(t, misbehaving(t, "dies later")...)
	for i := range 3 {
		if file, err := r.Read(good); err != nil || len(file.Blocks) != 1 {
			t.Errorf("file %d: %q, %v", i, file.Blocks, err)
		}
	}
}

func TestWornChildIsReplaced(t *testing.T) {
	r := newReader(t)
	pids := map[int]bool{}
	for range filesPerChild + 1 {
		if _, err := r.Read(good); err != nil {
			t.Fatal(err)
		}
		select {
		case c := <-r.idle:
			pids[c.Pid()] = true
			r.idle <- c
		default: // it was worn
		}
	}
	if len(pids) != 2 {
		t.Errorf("%d children for %d files", len(pids), filesPerChild+1)
	}
}

func TestEmptyEnvironment(t *testing.T) {
	t.Setenv("SITESYNC_API_KEY", "canary")
	_, err := newReader(t, misbehaving(t, "environment")...).Read(good)
	if err == nil || strings.Contains(err.Error(), "canary") || runtime.GOOS != "windows" && err.Error() != "read the PDF: environment:" {
		t.Errorf("the child's environment: %v", err)
	}
}

func TestCloseEndsReading(t *testing.T) {
	args := misbehaving(t, "hangs")
	r := newReader(t, args...)
	done := make(chan error, 1)
	go func() {
		_, err := r.Read(good)
		done <- err
	}()
	poll(t, "the file", func() bool {
		_, err := os.Stat(args[2] + ".file")
		return err == nil
	})
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil || !strings.Contains(err.Error(), "its child ended") {
		t.Errorf("got %v", err)
	}
	if _, err := r.Read(good); !errors.Is(err, errClosed) {
		t.Errorf("after Close: %v", err)
	}
	if len(r.idle) != 0 {
		t.Errorf("%d children are left", len(r.idle))
	}
}

func TestChildrenAreShared(t *testing.T) {
	r := newReader(t)
	r.slots = make(chan struct{}, 2)
	if len(r.idle) != 0 {
		t.Error("a child was started before the first file")
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 3 {
				if file, err := r.Read(good); err != nil || file.Blocks[0] != "Well read" {
					t.Errorf("got %q, %v", file.Blocks, err)
				}
			}
		})
	}
	all.Wait()
	if n := len(r.idle); n < 1 || n > 2 {
		t.Errorf("%d children", n)
	}
}

// A file that is read too slowly is not read: a part of it would look like another
// document, and the same file must give the same one every night.
func TestSlowFileIsNotReadInPart(t *testing.T) {
	if testing.Short() {
		t.Skip("nothing runs at the same time")
	}
	l, err := open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := l.alloc(len(good))
	copy(l.view(at, len(good)), good)
	if _, err := l.readFile(at, len(good), time.Now()); !errors.Is(err, errSlow) {
		t.Errorf("past the deadline: %v", err)
	}
	if file, err := l.readFile(at, len(good), time.Now().Add(time.Hour)); err != nil || !slices.Equal(file.Blocks, []string{"Well read"}) {
		t.Errorf("before it: %q, %v", file.Blocks, err)
	}
}

package service

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// crashStore names the store of the child that TestCrash kills.
const crashStore = "SITESYNC_TEST_SERVICE_STORE"

// serveUntilKilled is the child: it tells its address on stdout and serves.
func serveUntilKilled(path string) {
	s, err := Open(Options{Path: path, APIKey: testKey})
	if err == nil {
		var running *Running
		if running, err = s.Start(""); err == nil {
			fmt.Println(running.URL)
			<-running.Done
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// TestCrash kills the serving process while batches are sent to it. What was
// acknowledged must be there, each batch must be there whole or not at all, and what is
// there must be found.
func TestCrash(t *testing.T) {
	const rounds, batch = 8, 20
	path := filepath.Join(t.TempDir(), "service.db")
	acknowledged := map[string]bool{}
	for round := range rounds {
		for _, name := range killWhileWriting(t, path, round, batch) {
			acknowledged[name] = true
		}
	}
	l := open(t, Options{Path: path})
	sizes, stored := map[string]int{}, 0
	docs, err := l.Documents(testCustomer, testCrawler)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range docs {
		name, _, _ := strings.Cut(doc.ID, "#")
		sizes[name]++
		stored++
	}
	if found := l.search("*").TotalDocument; found != stored {
		t.Errorf("%d documents are stored and %d are found", stored, found)
	}
	for name := range acknowledged {
		if sizes[name] != batch {
			t.Errorf("batch %s was acknowledged and %d of its %d documents are there", name, sizes[name], batch)
		}
	}
	for name, size := range sizes {
		if size != batch {
			t.Errorf("batch %s is there in part: %d of %d documents", name, size, batch)
		}
	}
	if len(acknowledged) < rounds {
		t.Errorf("only %d batches were acknowledged", len(acknowledged))
	}
}

// killWhileWriting starts the child, sends batches until it is dead, and returns
// the names of those that were acknowledged.
func killWhileWriting(t *testing.T, path string, round, size int) []string {
	var acknowledged []string
	callUntilKilled(t, path, 5, func(l *local, n int) bool {
		name := fmt.Sprintf("batch-%d-%d", round, n)
		if l.call(http.MethodPut, documents, crashBatch(name, size)).status != http.StatusOK {
			return false
		}
		acknowledged = append(acknowledged, name)
		return true
	})
	return acknowledged
}

// callUntilKilled starts the child, calls it until a call fails, and kills it: within one of
// the first calls, most at most, or just before or after it.
func callUntilKilled(t *testing.T, path string, most int, call func(l *local, n int) bool) {
	t.Helper()
	child, url := startChild(t, path)
	l := &local{t: t, url: url}
	alive := 1 + rand.IntN(most)
	for n := 0; ; n++ {
		if n == alive {
			go func() { _ = child.Process.Kill() }()
		}
		if !call(l, n) {
			break
		}
	}
	_ = child.Wait() // it was killed
}

func crashBatch(name string, size int) string {
	var body strings.Builder
	for i := range size {
		fmt.Fprintf(&body, `,{"id":"%s#%d","fields":{"Content":"%s"}}`, name, i, strings.Repeat("x", 3000))
	}
	return "[" + body.String()[1:] + "]"
}

func startChild(t *testing.T, path string) (*exec.Cmd, string) {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), crashStore+"="+path)
	child.Stderr = os.Stderr
	stdout, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Process.Kill() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatalf("the child did not tell its address: %v", err)
	}
	return child, strings.TrimSpace(line)
}

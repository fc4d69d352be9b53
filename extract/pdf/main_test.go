package pdf

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/fxamacker/cbor/v2"
)

// TestMain makes the test binary what the program is, a child of itself, and also
// the children that misbehave. Compiled code is shared by all tests.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == Argument {
		if Serve(os.Args[2:], os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) == 6 && os.Args[1] == "misbehave" {
		misbehave(os.Args[2], os.Args[3], os.Args[5:])
		os.Exit(0)
	}
	if os.Getenv("PDF_PARENT") != "" { // of TestNoOrphan, which has a cache
		os.Exit(m.Run())
	}
	os.Exit(inCache(m.Run))
}

func inCache(run func() int) int {
	dir, err := os.MkdirTemp("", "pdf")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("XDG_CACHE_HOME", dir)
	return run()
}

// newReader returns a reader with one child at a time.
func newReader(t testing.TB, args ...string) *Reader {
	t.Helper()
	r := New(Options{Warn: func(string) {}, Say: func(string) {}})
	r.slots = make(chan struct{}, 1)
	if args != nil {
		r.args = args
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// misbehaving are the arguments of a child that misbehaves in a certain way, the first
// time it is started; afterwards it is a good one.
func misbehaving(t *testing.T, how string) []string {
	return []string{"misbehave", how, t.TempDir() + "/began", Argument}
}

func misbehave(how, began string, args []string) {
	answers := cbor.NewEncoder(os.Stdout)
	if _, err := os.Stat(began); err == nil {
		_ = Serve(args, os.Stdin, os.Stdout)
		return
	}
	_ = os.WriteFile(began, nil, 0o600)
	switch how {
	case "dies later":
		diesLater(args)
		return
	case "dies at once":
		return
	case "not ready":
		_ = answers.Encode(answer{Broken: "no memory for PDFium"})
		return
	}
	_ = answers.Encode(answer{Ready: true})
	_, _ = io.CopyN(io.Discard, os.Stdin, 8+int64(len(good)))
	_ = os.WriteFile(began+".file", nil, 0o600)
	switch how {
	case "hangs":
		_, _ = io.Copy(io.Discard, os.Stdin) // without cgo, a bare select would end as a deadlock
	case "takes memory":
		b := bytes.Repeat([]byte{1}, 300<<20)
		fmt.Fprint(io.Discard, b[:1])
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "rubbish":
		fmt.Println("panic: what a pity")
	case "half":
		fmt.Print("\xa1\x01\xa1")
	case "endless":
		fmt.Print("\x5f")
		_, _ = io.Copy(os.Stdout, endless{})
	case "no CBOR":
		fmt.Print("\xff")
	case "no text":
		fmt.Print("\xa1\x01\xa1\x66Blocks\x81\x62\xff\xfe")
	case "out of turn":
		_ = answers.Encode(answer{Ready: true})
	case "environment":
		_ = answers.Encode(answer{Verdict: "environment:" + strings.Join(os.Environ(), " ")})
	}
}

// diesLater answers one file and dies of the second.
func diesLater(args []string) {
	cmd := exec.Command(os.Args[0], append([]string{Argument}, args...)...)
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	_ = cmd.Start()
	defer cmd.Process.Kill()
	go func() { _, _ = io.Copy(in, os.Stdin) }()
	c, answers := newProcess(out), cbor.NewEncoder(os.Stdout)
	for range 2 {
		a, _ := c.answer()
		_ = answers.Encode(a)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// poll asks until it is done.
func poll(t *testing.T, what string, done func() bool) {
	t.Helper()
	again, end := time.NewTicker(5*time.Millisecond), time.After(30*time.Second)
	defer again.Stop()
	for !done() {
		select {
		case <-again.C:
		case <-end:
			t.Fatalf("%s did not come", what)
		}
	}
}

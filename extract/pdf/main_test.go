package pdf

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestMain makes the test binary what the program is, a child of itself, and also
// the children that misbehave. Compiled code is shared by all tests.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == Argument {
		if Serve(os.Args[2:], os.Stdin, os.Stdout) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	if len(os.Args) == 7 && os.Args[1] == "misbehave" {
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

func newReader(t testing.TB, o Options) *Reader {
	t.Helper()
	r := New(o)
	t.Cleanup(func() { r.Close() })
	return r
}

// misbehaving is the command of a child that misbehaves in a certain way, the first
// time it is started; afterwards it is a good one.
func misbehaving(t *testing.T, how string) []string {
	return []string{os.Args[0], "misbehave", how, t.TempDir() + "/began"}
}

func misbehave(how, began string, args []string) {
	if _, err := os.Stat(began); err == nil {
		_ = Serve(args, os.Stdin, os.Stdout)
		return
	}
	_ = os.WriteFile(began, nil, 0o600)
	if how == "forbidden" {
		if forbidCode() {
			_ = os.WriteFile(began+".forbidden", nil, 0o600)
		}
		_ = os.Remove(began) // each child
		_ = Serve(args, os.Stdin, os.Stdout)
		return
	}
	if how == "dies later" {
		diesLater(args)
		return
	}
	if how == "dies at once" {
		return
	}
	if how == "not ready" {
		_ = writeAnswer(os.Stdout, answer{Broken: "no memory for PDFium"})
		return
	}
	_ = writeAnswer(os.Stdout, answer{Ready: true})
	size, _ := readSize(os.Stdin, maxMemory)
	_, _ = io.CopyN(io.Discard, os.Stdin, int64(size))
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
		_, _ = os.Stdout.Write([]byte{0, 0, 0, 0, 0, 0, 1, 0, 'x'})
	case "endless":
		_, _ = os.Stdout.Write(bytes.Repeat([]byte{0xff}, headerSize))
		_, _ = io.Copy(os.Stdout, endless{})
	case "no CBOR":
		_ = writeFrame(os.Stdout, []byte("{}"))
	case "no text":
		_ = writeFrame(os.Stdout, []byte("\xa1\x01\xa1\x66Blocks\x81\x62\xff\xfe"))
	case "out of turn":
		_ = writeAnswer(os.Stdout, answer{Ready: true})
	case "environment":
		_ = writeAnswer(os.Stdout, answer{Verdict: "environment:" + strings.Join(os.Environ(), " ")})
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
	c := child{out: bufio.NewReader(out)}
	for _, ready := range []bool{true, false} {
		a, _ := c.answer(ready)
		_ = writeAnswer(os.Stdout, a)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// await looks for a file until it is there.
func await(t *testing.T, name string) {
	t.Helper()
	again, end := time.NewTicker(5*time.Millisecond), time.After(30*time.Second)
	defer again.Stop()
	for {
		if _, err := os.Stat(name); err == nil {
			return
		}
		select {
		case <-again.C:
		case <-end:
			t.Fatalf("%s did not come", name)
		}
	}
}

package pdf

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// busy keeps PDFium at work for long.
func busy() string {
	const font = "/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
	return onePage("/Contents 4 0 R"+font, packedStream(append([]byte("BT/F1 9 Tf"), bytes.Repeat([]byte("(a)Tj "), 5<<20)...)))
}

// TestParent is no test, but the process that the next one kills: it reads a file,
// names its child, and reads one that takes long.
func TestParent(t *testing.T) {
	if os.Getenv("PDF_PARENT") == "" {
		t.Skip("it is the parent of TestNoOrphan")
	}
	r := newReader(t)
	if _, err := r.Read(good); err != nil {
		t.Fatal(err)
	}
	c := <-r.idle
	fmt.Printf("child %d\n", c.Pid())
	r.idle <- c
	if os.Getenv("PDF_PARENT") == "busy" {
		_, _ = r.Read([]byte(busy()))
	}
	_, _ = io.Copy(io.Discard, os.Stdin) // without cgo, a bare select would end as a deadlock
}

// A child ends with its parent, even when that is killed, at work or not.
func TestNoOrphan(t *testing.T) {
	for _, state := range []string{"idle", "busy"} {
		t.Run(state, func(t *testing.T) {
			parent := exec.Command(os.Args[0], "-test.run=TestParent$")
			parent.Env = append(os.Environ(), "PDF_PARENT="+state)
			_, inErr := parent.StdinPipe() // held open: the parent waits for its end
			out, err := parent.StdoutPipe()
			if err := errors.Join(inErr, err); err != nil {
				t.Fatal(err)
			}
			if err := parent.Start(); err != nil {
				t.Fatal(err)
			}
			child := 0
			for lines := bufio.NewScanner(out); child == 0 && lines.Scan(); {
				_, _ = fmt.Sscanf(lines.Text(), "child %d", &child)
			}
			if child == 0 {
				t.Fatal("there is no child")
			}
			before := processTime(child)
			poll(t, "the child at work", func() bool { return state == "idle" || processTime(child) > before+20 })
			if err := parent.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = parent.Wait()
			poll(t, "the end of the child", func() bool { return processTime(child) < 0 })
		})
	}
}

// processTime returns how many hundredths of a second a process took; -1 when it
// has ended.
func processTime(pid int) int {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return -1
	}
	fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
	if fields[0] == "Z" || fields[0] == "X" {
		return -1
	}
	user, _ := strconv.Atoi(fields[11])
	return user
}

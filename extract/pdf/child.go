package pdf

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// Argument makes the program a child when it comes first; the child's cache folder and
// the time that a file may take come after it. The program is to call Serve then.
const Argument = "read-pdf"

// Serve reads PDF files for the parent process, by the protocol of this package
// on in and out, and returns when the parent ends. The arguments are those after
// Argument. It takes the process for its own: garbage collection, processors and
// signals are set for it, and it ends the process where a file can't be ended otherwise.
func Serve(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 2 {
		return errors.New("read PDF files: the program starts this command itself")
	}
	limit, err := time.ParseDuration(args[1])
	if err != nil {
		return fmt.Errorf("read PDF files: %w", err)
	}
	signal.Ignore(os.Interrupt) // the parent decides
	signal.Reset(syscall.SIGTERM)
	runtime.GOMAXPROCS(2) // one runs PDFium and can't be stopped, one watches
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(10) // of PDFium's memory, which is all reserved
	l, interpreted, err := open(context.Background(), args[0])
	if err != nil {
		return writeAnswer(out, answer{Broken: clipped(err)})
	}
	err = writeAnswer(out, answer{Ready: true, Interpreted: interpreted})
	parent := bufio.NewReaderSize(in, 64<<10)
	for err == nil {
		err = serveFile(l, parent, out, limit)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// serveFile reads one file and answers.
func serveFile(l *library, parent *bufio.Reader, out io.Writer, limit time.Duration) error {
	size, err := readSize(parent, maxMemory)
	if err != nil {
		return err
	}
	at := l.alloc(size + 1) // of an empty file too there is an address
	if l.err == nil {
		if _, err := io.ReadFull(parent, l.view(at, size)); err != nil {
			return err
		}
	}
	if l.err != nil {
		return errors.Join(writeAnswer(out, answer{Broken: clipped(l.err)}), l.err)
	}
	next := watch(parent)
	late := time.AfterFunc(2*limit, func() { os.Exit(1) }) // PDFium can't be interrupted
	file, err := l.read(at, size, time.Now().Add(limit*2/3))
	late.Stop()
	switch {
	case l.err != nil:
		return errors.Join(writeAnswer(out, answer{Broken: clipped(l.err)}), l.err)
	case err != nil:
		err = writeAnswer(out, answer{Verdict: clipped(err)})
	default:
		err = writeAnswer(out, answer{File: file})
	}
	l.free(at)
	if err == nil {
		<-next
	}
	return err
}

// watch ends the process when the parent has gone. What it returns is closed when
// the parent asks for the next file.
func watch(parent *bufio.Reader) <-chan struct{} {
	next := make(chan struct{})
	go func() {
		if _, err := parent.Peek(1); err != nil {
			os.Exit(0)
		}
		close(next)
	}()
	return next
}

func clipped(err error) string {
	text := err.Error()
	return strings.ToValidUTF8(text[:min(len(text), 1000)], "")
}

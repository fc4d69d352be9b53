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
	"syscall"
	"time"
)

// Argument is the one argument that makes the program a child: it is to call
// Serve then.
const Argument = "read-pdf"

// Serve reads PDF files for the parent process, by the protocol of this package
// on in and out, and returns when the parent ends. It takes the process for its
// own: garbage collection, processors and signals are set for it, and it ends the
// process where a file can't be ended otherwise.
func Serve(in io.Reader, out io.Writer) error {
	signal.Ignore(os.Interrupt) // the parent decides
	signal.Reset(syscall.SIGTERM)
	runtime.GOMAXPROCS(2) // one runs PDFium and can't be stopped, one watches
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(10) // of PDFium's memory, which is all reserved
	parent := bufio.NewReaderSize(in, 64<<10)
	var s settings
	if err := readValue(parent, kindSettings, &s); err != nil {
		return fmt.Errorf("read the settings of a reader of PDF files: %w", err)
	}
	l, interpreted, err := open(context.Background(), s.Cache)
	if err != nil {
		return writeValue(out, kindReady, readiness{Fault: err.Error()})
	}
	if err := writeValue(out, kindReady, readiness{Interpreted: interpreted}); err != nil {
		return err
	}
	for err == nil {
		err = serveFile(l, parent, out, s.Limit)
	}
	if err == io.EOF {
		return nil
	}
	return err
}

// serveFile reads one file and answers.
func serveFile(l *library, parent *bufio.Reader, out io.Writer, limit time.Duration) error {
	k, size, err := readHeader(parent)
	if err != nil {
		return err
	}
	if k != kindPDF {
		return fmt.Errorf("%w: kind %q is not due", errProtocol, byte(k))
	}
	at := l.alloc(size + 1) // of an empty file too there is an address
	if l.err != nil {
		return errors.Join(writeFrame(out, kindBroken, clipped(l.err)), l.err)
	}
	if _, err := io.ReadFull(parent, l.view(at, size)); err != nil {
		return err
	}
	next := watch(parent)
	late := time.AfterFunc(2*limit, func() { os.Exit(1) }) // PDFium can't be interrupted
	file, err := l.read(at, size, time.Now().Add(limit*2/3))
	late.Stop()
	if l.err != nil {
		return errors.Join(writeFrame(out, kindBroken, clipped(l.err)), l.err)
	}
	l.free(at)
	if err != nil {
		err = writeFrame(out, kindVerdict, clipped(err))
	} else {
		err = writeValue(out, kindFile, file)
	}
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

func clipped(err error) []byte {
	text := err.Error()
	return []byte(text[:min(len(text), 1000)])
}

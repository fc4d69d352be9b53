package pdf

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/fxamacker/cbor/v2"

	"sitesync/internal/document"
)

// Argument makes the program a child when it comes first; the child's cache folder comes
// after it. The program is to call Serve then.
const Argument = "read-pdf"

// answer is what a child says of a file, as CBOR; the first one tells whether it is ready.
// What it is asked is the size of a file, as eight bytes, big-endian, and the file as it is.
type answer struct {
	File    document.File `cbor:"1,keyasint"`
	Verdict string        `cbor:"2,keyasint,omitempty"` // why the file can't be read
	Broken  string        `cbor:"3,keyasint,omitempty"` // what happened to PDFium; it ends the child
	Ready   bool          `cbor:"4,keyasint,omitempty"` // the first one, and no other
}

// Serve reads PDF files for the parent process, by the protocol of this package
// on in and out, and returns when the parent ends. The arguments are those after
// Argument. It takes the process for its own: garbage collection, processors and
// signals are set for it, and it ends the process where a file can't be ended otherwise.
func Serve(args []string, in io.Reader, out io.Writer) error {
	signal.Ignore(os.Interrupt) // the parent decides
	signal.Reset(syscall.SIGTERM)
	runtime.GOMAXPROCS(2) // one runs PDFium and can't be stopped, one watches
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(10) // of PDFium's memory, which is all reserved
	answers := cbor.NewEncoder(out)
	l, err := open(context.Background(), args[0])
	if err == nil {
		err = answers.Encode(answer{Ready: true})
	}
	parent := bufio.NewReaderSize(in, 64<<10)
	for err == nil {
		err = serveFile(l, parent, answers)
	}
	if err == io.EOF {
		return nil
	}
	return errors.Join(err, answers.Encode(answer{Broken: clipped(err)}))
}

// serveFile reads one file and answers, and waits for the next. An error ends the child.
func serveFile(l *library, parent *bufio.Reader, answers *cbor.Encoder) error {
	var head [8]byte
	if _, err := io.ReadFull(parent, head[:]); err != nil {
		return err
	}
	size := int(binary.BigEndian.Uint64(head[:]))
	at := l.alloc(size + 1) // of an empty file too there is an address
	if l.err != nil {
		return l.err
	}
	if _, err := io.ReadFull(parent, l.view(at, size)); err != nil {
		return err
	}
	next := make(chan struct{})
	go func() { // PDFium can't be interrupted: the process ends when the parent has gone
		if _, err := parent.Peek(1); err != nil {
			os.Exit(0)
		}
		close(next)
	}()
	file, err := l.read(at, size, time.Now().Add(fileTime*2/3))
	if l.err != nil {
		return l.err
	}
	l.free(at)
	a := answer{File: file}
	if err != nil {
		a = answer{Verdict: clipped(err)}
	}
	err = answers.Encode(a)
	if err == nil {
		<-next
	}
	return err
}

func clipped(err error) string {
	text := err.Error()
	return strings.ToValidUTF8(text[:min(len(text), 1000)], "")
}

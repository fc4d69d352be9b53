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
	"syscall"
	"time"

	"github.com/fxamacker/cbor/v2"

	"sitesync/internal/document"
)

// Argument is the first argument of a child process that reads PDF files. The second argument is the folder
// for compiled code. A program that is started with Argument must call Serve.
const Argument = "read-pdf"

// answer is what a child sends, in CBOR: once when it is ready, then once for each file. For each file, the
// child receives the size, as eight bytes in big-endian order, and then the file.
type answer struct {
	File    document.File `cbor:"1,keyasint"`
	Verdict string        `cbor:"2,keyasint,omitempty"` // why the file can't be read
	Broken  string        `cbor:"3,keyasint,omitempty"` // why PDFium broke; the child then ends
	Ready   bool          `cbor:"4,keyasint,omitempty"` // set in the first answer only
}

// Serve reads PDF files for the parent process, until the parent ends. in has the requests, and out gets the
// answers. args are the arguments after Argument. Serve changes the process's settings for garbage
// collection, processors and signals. If the parent ends while a file is read, Serve exits the process.
func Serve(args []string, in io.Reader, out io.Writer) error {
	signal.Ignore(os.Interrupt) // the parent ends its children
	signal.Reset(syscall.SIGTERM)
	runtime.GOMAXPROCS(2) // one thread runs PDFium, which can't be interrupted; the other watches the parent
	debug.SetMemoryLimit(math.MaxInt64)
	debug.SetGCPercent(10) // low, because the heap includes the memory reserved for PDFium
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
	return errors.Join(err, answers.Encode(answer{Broken: err.Error()}))
}

// serveFile answers one request and waits for the beginning of the next. An error ends the child.
func serveFile(l *library, parent *bufio.Reader, answers *cbor.Encoder) error {
	var head [8]byte
	if _, err := io.ReadFull(parent, head[:]); err != nil {
		return err
	}
	size := int(binary.BigEndian.Uint64(head[:]))
	at := l.alloc(size + 1) // an empty file needs an address too
	if l.err != nil {
		return l.err
	}
	if _, err := io.ReadFull(parent, l.view(at, size)); err != nil {
		return err
	}
	next := make(chan struct{})
	go func() { // PDFium can't be interrupted, so the process exits if the parent ends
		if _, err := parent.Peek(1); err != nil {
			os.Exit(0)
		}
		close(next)
	}()
	file, err := l.readFile(at, size, time.Now().Add(fileTime*2/3))
	if l.err != nil {
		return l.err
	}
	l.free(at)
	a := answer{File: file}
	if err != nil {
		a = answer{Verdict: err.Error()}
	}
	err = answers.Encode(a)
	if err == nil {
		<-next
	}
	return err
}

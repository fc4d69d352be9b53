package pdf

import (
	"bufio"
	"context"
	"encoding/binary"
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

	"github.com/fxamacker/cbor/v2"

	"sitesync/internal/document"
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

// A frame is one message between parent and child: its size as eight bytes,
// big-endian, and that many bytes. To the child goes a file as it is; back comes an
// answer as CBOR, the first one once the child is ready.
const headerSize = 8

// maxAnswer bounds an answer: a result's text is bounded by maxText; its encoding and
// the rest of it need less than twice as much.
const maxAnswer = 4 * maxText

// errProtocol: the other side does not speak this protocol.
var errProtocol = errors.New("the PDF reader gave an answer that can't be read; the next run reads the file again")

// answer is what a child says of a file; the first one tells whether it is ready.
type answer struct {
	File        document.File `cbor:"1,keyasint"`
	Verdict     string        `cbor:"2,keyasint,omitempty"` // why the file can't be read
	Broken      string        `cbor:"3,keyasint,omitempty"` // what happened to PDFium; it ends the child
	Interpreted bool          `cbor:"4,keyasint,omitempty"` // PDFium could not be compiled
	Ready       bool          `cbor:"5,keyasint,omitempty"` // the first one, and no other
}

// readSize reads the beginning of a frame of at most limit bytes. It errs with io.EOF
// where the other side has ended before one.
func readSize(r io.Reader, limit int64) (int, error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, err
	}
	size := binary.BigEndian.Uint64(head[:])
	if size > uint64(limit) {
		return 0, fmt.Errorf("%w: a message of %d bytes", errProtocol, size)
	}
	return int(size), nil
}

// writeFrame writes a frame. The payload is not copied.
func writeFrame(w io.Writer, payload []byte) error {
	if _, err := w.Write(binary.BigEndian.AppendUint64(nil, uint64(len(payload)))); err != nil {
		return err
	}
	_, err := w.Write(payload)
	return err
}

func writeAnswer(w io.Writer, a answer) error {
	payload, err := cbor.Marshal(a)
	if err != nil {
		return fmt.Errorf("encode an answer: %w", err)
	}
	return writeFrame(w, payload)
}

package pdf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/fxamacker/cbor/v2"

	"sitesync/internal/document"
)

// A frame is one message between parent and child: its size as eight bytes,
// big-endian, and that many bytes. To the child goes a file as it is; back comes an
// answer as CBOR, the first one once the child is ready.
const headerSize = 8

// maxAnswer bounds an answer: a result's text is bounded by maxText; its encoding and
// the rest of it need less than twice as much.
const maxAnswer = 4 * maxText

// errProtocol: the other side does not speak this protocol.
var errProtocol = errors.New("its child does not keep to the protocol")

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

// readAnswer reads an answer, of which ready says whether it is to be the first. The size
// is not believed: memory grows with what arrives. Texts are valid UTF-8, else it errs.
func readAnswer(r io.Reader, ready bool) (answer, error) {
	size, err := readSize(r, maxAnswer)
	if err != nil {
		return answer{}, err
	}
	var payload bytes.Buffer
	if _, err := io.CopyN(&payload, r, int64(size)); err != nil {
		return answer{}, fmt.Errorf("read %d bytes: %w", size, err)
	}
	var a answer
	if err := cbor.Unmarshal(payload.Bytes(), &a); err != nil {
		return answer{}, fmt.Errorf("%w: %w", errProtocol, err)
	}
	if a.Ready != ready && a.Broken == "" {
		return answer{}, fmt.Errorf("%w: an answer out of turn", errProtocol)
	}
	a.File.Created, a.File.Modified = utc(a.File.Created), utc(a.File.Modified)
	return a, nil
}

func utc(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

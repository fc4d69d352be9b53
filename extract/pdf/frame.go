package pdf

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/fxamacker/cbor/v2"

	"sitesync/internal/document"
)

// A frame is one message between parent and child: the protocol's version, its
// kind, the size of what follows as four bytes, big-endian, and that many bytes.
const (
	protocol   = 1
	headerSize = 6
)

type kind byte

const (
	kindSettings kind = 'S' // to the child, first
	kindReady    kind = 'R' // from the child: a readiness
	kindPDF      kind = 'P' // to the child: a file
	kindFile     kind = 'F' // from the child: a document.File
	kindVerdict  kind = 'V' // from the child: why the file can't be read, in words
	kindBroken   kind = 'B' // from the child, last: what happened to PDFium, in words
)

// errProtocol: the other side does not speak this protocol.
var errProtocol = errors.New("its child does not keep to the protocol")

// limit is the most bytes that a frame may have; 0: there is no such kind. A result's text is bounded by
// maxText; its encoding and the rest of it need less than twice as much.
func (k kind) limit() uint32 {
	switch k {
	case kindPDF:
		return maxMemory
	case kindFile:
		return 4 * maxText
	case kindSettings, kindReady, kindVerdict, kindBroken:
		return 4 << 10
	}
	return 0
}

// settings are what a child is told first.
type settings struct {
	Cache string        `cbor:"1,keyasint,omitempty"` // folder for compiled code; empty: none
	Limit time.Duration `cbor:"2,keyasint"`           // for a file
}

// readiness is what a child says first.
type readiness struct {
	Interpreted bool   `cbor:"1,keyasint,omitempty"`
	Fault       string `cbor:"2,keyasint,omitempty"` // why it is not ready after all
}

// readHeader reads the beginning of a frame. It errs with io.EOF where the other
// side has ended before one.
func readHeader(r io.Reader) (kind, int, error) {
	var head [headerSize]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, 0, err
	}
	k, size := kind(head[1]), binary.BigEndian.Uint32(head[2:])
	if head[0] != protocol || k.limit() == 0 || size > k.limit() {
		return 0, 0, fmt.Errorf("%w: version %d, kind %q, %d bytes", errProtocol, head[0], byte(k), size)
	}
	return k, int(size), nil
}

// readFrame reads a whole frame, which must be of one of the kinds wanted. The
// size is not believed: memory grows with what arrives.
func readFrame(r io.Reader, wanted ...kind) (kind, []byte, error) {
	k, size, err := readHeader(r)
	if err != nil {
		return 0, nil, err
	}
	if !slices.Contains(wanted, k) {
		return 0, nil, fmt.Errorf("%w: kind %q is not due", errProtocol, byte(k))
	}
	var payload bytes.Buffer
	if _, err := io.CopyN(&payload, r, int64(size)); err != nil {
		return 0, nil, fmt.Errorf("read %d bytes of kind %q: %w", size, byte(k), err)
	}
	return k, payload.Bytes(), nil
}

// writeFrame writes a frame. The payload is not copied.
func writeFrame(w io.Writer, k kind, payload []byte) error {
	if uint64(len(payload)) > uint64(k.limit()) {
		return fmt.Errorf("write %d bytes of kind %q: over the limit", len(payload), byte(k))
	}
	head := binary.BigEndian.AppendUint32([]byte{protocol, byte(k)}, uint32(len(payload)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(payload)
	return err
}

// writeValue writes a frame that holds v as CBOR.
func writeValue(w io.Writer, k kind, v any) error {
	payload, err := cbor.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode kind %q: %w", byte(k), err)
	}
	return writeFrame(w, k, payload)
}

// readValue reads a frame of kind k into v.
func readValue(r io.Reader, k kind, v any) error {
	_, payload, err := readFrame(r, k)
	if err != nil {
		return err
	}
	if err := cbor.Unmarshal(payload, v); err != nil {
		return fmt.Errorf("%w: %w", errProtocol, err)
	}
	return nil
}

// decodeFile reads what a child found. Texts are valid UTF-8, else it errs.
func decodeFile(payload []byte) (file document.File, err error) {
	if err := cbor.Unmarshal(payload, &file); err != nil {
		return document.File{}, fmt.Errorf("%w: %w", errProtocol, err)
	}
	file.Created, file.Modified = file.Created.UTC(), file.Modified.UTC()
	return file, nil
}

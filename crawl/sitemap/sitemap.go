package sitemap

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// The limits of one sitemap file, those of the sitemaps protocol. Bytes are
// counted after unpacking.
const (
	MaxURLs  = 50_000
	MaxBytes = 50 << 20
)

// maxText bounds what is kept of one address, date or tag; longer ones
// are faults.
const maxText = 8 << 10

// Kind is the format of a sitemap; empty when it is none.
type Kind string

// The formats that sitemaps come in: the XML formats of the sitemaps protocol
// (0.9), RSS (0.9 to 2.0), Atom (RFC 4287) and plain text, one address a line.
const (
	kindURLSet Kind = "urlset"
	kindIndex  Kind = "index"
	kindRSS    Kind = "rss"
	kindAtom   Kind = "atom"
	kindText   Kind = "text"
)

// Entry is one address that a sitemap lists.
type Entry struct {
	Loc       string // as written, entities decoded, not canonical
	Lastmod   int64  // Unix seconds; 0: none, or no date
	Sitemap   bool   // Loc is another sitemap, not a page
	Alternate bool   // Loc is a translation or variant named in the entry of another page
}

// Read yields the entries of the sitemap r, gzipped or not, until yield
// returns false, and returns its kind. It holds one entry in memory. A file
// that is cut, malformed or over the limits yields what can be read; the error
// then says at which byte (unpacked) it broke first. With an error for what is
// no sitemap the kind is empty. Text is UTF-8 or, with a byte order mark,
// UTF-16, whatever an XML declaration says.
func Read(r io.Reader, yield func(Entry) bool) (Kind, error) {
	in, err := open(r)
	if err != nil {
		return "", err
	}
	s := &sink{yield: yield}
	first, blanks, err := firstByte(in)
	switch {
	case err == io.EOF:
		return "", errors.New("it is empty, not a sitemap")
	case err != nil:
		return "", breakAt(int64(blanks), err)
	case first != '<':
		return readText(in, int64(blanks), s)
	}
	x := &xmlReader{scan: markupScanner{in: in, offset: int64(blanks)}, sink: s}
	err = x.read()
	return x.format.kind, err
}

// firstByte skips white space and returns the byte after it, unread, and how
// many bytes it skipped.
func firstByte(in *bufio.Reader) (first byte, skipped int, err error) {
	for {
		b, err := in.ReadByte()
		if err != nil {
			return 0, skipped, err
		}
		if b != ' ' && b != '\t' && b != '\n' && b != '\r' {
			return b, skipped, in.UnreadByte()
		}
		skipped++
	}
}

// sink counts what is yielded and keeps the first fault.
type sink struct {
	yield func(Entry) bool
	count int
	fault error
}

// errDone ends the reading of a sitemap whose reader wants no more.
var errDone = errors.New("enough")

// put yields e. The error ends the reading.
func (s *sink) put(e Entry, offset int64) error {
	if !e.Alternate {
		if s.count == MaxURLs {
			return fmt.Errorf("it lists more than %d addresses; what follows byte %d is left, split the file", MaxURLs, offset)
		}
		s.count++
	}
	if !s.yield(e) {
		return errDone
	}
	return nil
}

// note keeps the first fault that reading went on after.
func (s *sink) note(offset int64, what string) {
	if s.fault == nil {
		s.fault = fmt.Errorf("at byte %d: %s", offset, what)
	}
}

// end returns the error of the whole reading, which err ended: the first fault
// or err itself.
func (s *sink) end(err error) error {
	switch {
	case err == errDone:
		return nil
	case s.fault != nil && err != nil:
		return fmt.Errorf("%w, and %w", s.fault, err)
	case s.fault != nil:
		return s.fault
	}
	return err
}

// ErrBreaksOff tells a sitemap of which only a part could be read from one with
// faults in it.
var ErrBreaksOff = errors.New("it breaks off")

// breakAt tells where reading ended before the sitemap did.
func breakAt(offset int64, err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%w at byte %d: %w", ErrBreaksOff, offset, err)
}

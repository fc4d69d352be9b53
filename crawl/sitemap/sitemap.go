package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// The limits of one file, those of the sitemaps protocol. Bytes are counted after
// unpacking.
const (
	MaxURLs  = 50_000
	MaxBytes = 50 << 20
)

// maxText bounds an address, a date and a line of text; longer ones are faults.
const maxText = 8 << 10

// Kind is the format of a sitemap; empty when the file is no sitemap.
type Kind string

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

// ErrBreaksOff tells a sitemap that could be read in part from one that was read
// to its end but has faults.
var ErrBreaksOff = errors.New("it breaks off")

var (
	errDone  = errors.New("enough") // yield wants no more
	errSize  = errors.New("it is over 50 MiB; split the file")
	errOther = errors.New("it is neither XML nor a list of addresses")
)

// Read yields the entries of the sitemap r, gzipped or not, until yield returns
// false, and returns its kind. A file that is cut, malformed or over the limits
// yields what can be read; the error then says at which byte (unpacked) it broke
// first. For a file that is no sitemap, or in an unknown encoding, the kind is empty and
// the error says why. The encoding is that of a byte order mark, else that of the XML
// declaration, else UTF-8; an address that is not text in it is a fault and left out.
func Read(r io.Reader, yield func(Entry) bool) (Kind, error) {
	in, err := open(r)
	if err != nil {
		return "", err
	}
	out := sink{yield: yield}
	first, err := in.Peek(1)
	for ; err == nil && bytes.IndexAny(first, " \t\r\n") == 0; first, err = in.Peek(1) {
		_, _ = in.Discard(1)
		out.offset++
	}
	switch {
	case err == io.EOF:
		return "", errors.New("it is empty, not a sitemap")
	case err != nil:
		return "", out.breakOff(err)
	case first[0] != '<':
		return out.readText(in)
	}
	return out.readXML(in)
}

// sink counts what is yielded and keeps the first fault.
type sink struct {
	yield  func(Entry) bool
	offset int64 // bytes read so far
	count  int   // of entries, alternates aside
	fault  error
}

// put yields e. The error ends the reading. Alternates don't count: pages that name each
// other in all their languages repeat the same addresses.
func (s *sink) put(e Entry) error {
	if !utf8.ValidString(e.Loc) || strings.ContainsRune(e.Loc, utf8.RuneError) {
		s.note(s.offset, "an address is not text in the encoding of the file; write it in UTF-8")
		return nil
	}
	if !e.Alternate {
		s.count++
	}
	if s.count > MaxURLs {
		return fmt.Errorf("it lists more than %d addresses; what follows byte %d is left, split the file", MaxURLs, s.offset)
	}
	if !s.yield(e) {
		return errDone
	}
	return nil
}

// note keeps the first fault after which the reading continued.
func (s *sink) note(offset int64, format string, args ...any) {
	if s.fault == nil {
		s.fault = fmt.Errorf("at byte %d: %s", offset, fmt.Sprintf(format, args...))
	}
}

// breakOff returns the error of a reading that ended before the sitemap did.
func (s *sink) breakOff(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		err = errSize
	}
	return fmt.Errorf("%w at byte %d: %w", ErrBreaksOff, s.offset, err)
}

// result returns the error of the whole reading, which err ended: the first fault,
// err itself, or both.
func (s *sink) result(err error) error {
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

// bufferSize is large enough that nearly every tag and text lies in it whole.
const bufferSize = 64 << 10

// open returns a reader of the text of r as UTF-8: unpacked when it begins like a
// gzip file, whatever its name says, without byte order mark, and failing past
// MaxBytes. It errs where the file is in an encoding that is not known.
func open(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, bufferSize)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1F, 0x8B}) {
		unpacked, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%w at byte 0: %w", ErrBreaksOff, err)
		}
		in = bufio.NewReaderSize(unpacked, bufferSize)
	}
	decoder, err := declared(in)
	if err != nil {
		return nil, err
	}
	limited := http.MaxBytesReader(nil, io.NopCloser(in), MaxBytes) // which errs, rather than ends, behind that
	return bufio.NewReaderSize(transform.NewReader(limited, unicode.BOMOverride(decoder)), bufferSize), nil
}

// declaration finds the label of an encoding in an XML declaration.
var declaration = regexp.MustCompile(`^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']`)

// declared returns what decodes a file without a byte order mark: by the XML declaration,
// or by the zeros beside its first bracket in UTF-16 (XML 1.0, appendix F). It errs where
// the declaration names an encoding that is not known.
func declared(in *bufio.Reader) (transform.Transformer, error) {
	head, _ := in.Peek(256)
	label := ""
	switch found := declaration.FindSubmatch(head); {
	case bytes.HasPrefix(head, []byte("<\x00")):
		label = "utf-16le"
	case bytes.HasPrefix(head, []byte("\x00<")):
		label = "utf-16be"
	case found != nil && !bytes.HasPrefix(bytes.ToLower(found[1]), []byte("utf-16")): // or it could not be read
		label = string(found[1])
	}
	if label == "" {
		return transform.Nop, nil
	}
	encoding, name := charset.Lookup(label)
	switch name {
	case "", "replacement":
		return nil, fmt.Errorf("it is in the encoding %.40q, which is not known; write it in UTF-8", label)
	case "utf-8":
		return transform.Nop, nil
	}
	return encoding.NewDecoder(), nil
}

// readText reads one address a line, which ends with LF, CR or both. It skips blank lines
// and comments.
func (s *sink) readText(in *bufio.Reader) (kind Kind, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxText)
	begin := s.offset // of the line at hand
	lines.Split(func(data []byte, atEOF bool) (advance int, line []byte, _ error) {
		begin = s.offset
		if end := bytes.IndexAny(data, "\r\n"); end >= 0 {
			advance, line = end+1, data[:end]
		} else if atEOF && len(data) > 0 {
			advance, line = len(data), data
		}
		s.offset += int64(advance)
		return advance, line, nil
	})
	for lines.Scan() {
		line := bytes.TrimSpace(lines.Bytes())
		switch {
		case len(line) == 0 || line[0] == '#':
		case webAddress.Match(line):
			kind = kindText
			if err := s.put(Entry{Loc: string(line)}); err != nil {
				return kind, s.result(err)
			}
		case kind == "":
			return "", errOther
		default:
			s.note(begin, "%.40q is no address", line)
		}
	}
	if kind == "" {
		return "", errOther
	}
	err = lines.Err()
	if err != nil {
		err = s.breakOff(err)
	}
	return kind, s.result(err)
}

var webAddress = regexp.MustCompile("^(?i:https?)://")

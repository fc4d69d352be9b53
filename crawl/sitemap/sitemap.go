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

// The limits of one file in the sitemaps protocol.
const (
	MaxURLs  = 50_000
	MaxBytes = 50 << 20 // size of the decompressed file
)

const (
	maxText    = 8 << 10 // longest address, date or line of text, in bytes; a longer value is a fault
	bufferSize = 64 << 10
)

// Kind is the format of a sitemap; "" if the file is no sitemap.
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
	Loc       string // address as listed, with entities decoded
	Lastmod   int64  // Unix seconds; 0 if the entry has no valid date
	Sitemap   bool   // Loc is the address of another sitemap
	Alternate bool   // Loc is another version of a listed page, such as a translation
}

// ErrBreaksOff is returned for a sitemap that could not be read to its end.
var ErrBreaksOff = errors.New("it breaks off")

var (
	errDone  = errors.New("enough") // returned when yield has returned false
	errSize  = errors.New("it is over 50 MiB; split the file")
	errOther = errors.New("it is neither XML nor a list of addresses")
)

// Read calls yield for each entry of the sitemap r until yield returns false. r may be compressed with gzip.
// Read errs if r is cut, malformed or over the limits, but first yields every entry that can be read. The
// error names the first faulty byte, counted after decompression. Read returns the kind of the sitemap, or ""
// if it found no sign of a known kind.
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

type sink struct {
	yield  func(Entry) bool
	offset int64
	count  int // number of entries without the alternates (other versions of a page)
	fault  error
}

// put yields e. After an error of put, the caller must stop reading. Alternates do not count towards MaxURLs:
// a page in n languages has n entries, and each of them lists all n addresses.
func (s *sink) put(e Entry) error {
	if !utf8.ValidString(e.Loc) || strings.ContainsRune(e.Loc, utf8.RuneError) {
		s.note(s.offset, "an address is not text in the encoding of the file; write it in UTF-8")
		return nil
	}
	if !e.Alternate {
		s.count++
	}
	if s.count > MaxURLs {
		return fmt.Errorf("it lists more than %d addresses; what follows byte %d is left, split the file",
			MaxURLs, s.offset)
	}
	if !s.yield(e) {
		return errDone
	}
	return nil
}

func (s *sink) note(offset int64, format string, args ...any) {
	if s.fault == nil {
		s.fault = fmt.Errorf("at byte %d: %s", offset, fmt.Sprintf(format, args...))
	}
}

func (s *sink) breakOff(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if _, over := errors.AsType[*http.MaxBytesError](err); over {
		err = errSize
	}
	return fmt.Errorf("%w at byte %d: %w", ErrBreaksOff, s.offset, err)
}

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

// open returns a reader for the text of r in UTF-8, without a byte order mark. It decompresses r if r begins
// like a gzip file. The reader errs after MaxBytes. open errs if the gzip header is invalid, or if
// the encoding is unknown.
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
	limited := http.MaxBytesReader(nil, io.NopCloser(in), MaxBytes) // unlike io.LimitReader, it errs at the limit
	return bufio.NewReaderSize(transform.NewReader(limited, unicode.BOMOverride(decoder)), bufferSize), nil
}

var declaration = regexp.MustCompile(`^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([^"'>]*)["']`)

// declared returns the decoder for a file without a byte order mark. A zero byte beside the first "<" means
// UTF-16 (XML 1.0, appendix F). Otherwise the XML declaration names the encoding; the default is UTF-8.
func declared(in *bufio.Reader) (transform.Transformer, error) {
	head, _ := in.Peek(256)
	label := ""
	switch found := declaration.FindSubmatch(head); {
	case bytes.HasPrefix(head, []byte("<\x00")):
		label = "utf-16le"
	case bytes.HasPrefix(head, []byte("\x00<")):
		label = "utf-16be"
	// A file whose declaration is readable as ASCII is not UTF-16, even if it is declared so.
	case found != nil && !bytes.HasPrefix(bytes.ToLower(found[1]), []byte("utf-16")):
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

func (s *sink) readText(in *bufio.Reader) (kind Kind, err error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxText)
	begin := s.offset
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

package sitemap

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"html"
	"io"
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"time"

	xhtml "golang.org/x/net/html"
)

const (
	maxDepth = 64
	maxToken = 8 << 20 // longest tag, comment or text, in bytes; the tokenizer holds it in memory
)

var errToken = errors.New("a tag, a comment or a text of over 8 MiB")

// format describes an XML format, with names in lower case. An item is the element for one entry.
type format struct {
	kind  Kind
	depth int // number of elements around an item
	item  string
	loc   string // name of the element with the address; "" for Atom, which has the address in an attribute
	dates []string
}

var formats = map[string]format{
	"urlset":       {kindURLSet, 1, "url", "loc", []string{"lastmod"}},
	"sitemapindex": {kindIndex, 1, "sitemap", "loc", []string{"lastmod"}},
	"rss":          {kindRSS, 2, "item", "link", []string{"pubdate", "date"}},
	"rdf":          {kindRSS, 1, "item", "link", []string{"date"}},
	"feed":         {kindAtom, 1, "entry", "", []string{"updated"}},
}

// xmlReader reads one XML sitemap. It tells elements apart by local name, depth and prefix, so image:loc is
// not taken for loc.
type xmlReader struct {
	*format
	out    *sink
	tokens *xhtml.Tokenizer
	open   []string

	inItem     bool
	itemPrefix string
	entry      Entry

	field string // local name of the open element whose text is collected; "" if no text is collected
	text  []byte
}

func (s *sink) readXML(in *bufio.Reader) (Kind, error) {
	x := &xmlReader{format: &format{}, out: s, tokens: xhtml.NewTokenizer(in)}
	x.tokens.AllowCDATA(true)
	x.tokens.SetMaxBuf(maxToken)
	err := x.readAll()
	switch {
	case x.kind == "" && err == io.EOF:
		return "", errOther
	case x.kind == "" || err == nil || err == errDone:
		return x.kind, s.result(err)
	}
	if x.inItem && x.entry.Loc != "" {
		if putErr := s.put(x.entry); putErr != nil {
			return x.kind, s.result(putErr)
		}
	}
	return x.kind, s.result(s.breakOff(err))
}

func (x *xmlReader) readAll() error {
	for {
		kind := x.tokens.Next()
		offset := x.out.offset
		raw := x.tokens.Raw()
		x.out.offset += int64(len(raw))
		var err error
		switch kind {
		case xhtml.ErrorToken:
			if err := x.tokens.Err(); err != xhtml.ErrBufferExceeded {
				return err
			}
			return errToken
		case xhtml.TextToken:
			x.keep(raw)
			continue
		case xhtml.StartTagToken, xhtml.SelfClosingTagToken:
			x.tokens.NextIsNotRawText()
			err = x.start(offset)
			if err == nil && kind == xhtml.SelfClosingTagToken {
				err = x.pop()
			}
		case xhtml.EndTagToken:
			err = x.end(offset)
		default:
			continue
		}
		if err != nil || len(x.open) == 0 {
			return err
		}
	}
}

// entities matches the entities of XML. Any other "&" is kept as text.
var entities = regexp.MustCompile(`&(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});`)

func (x *xmlReader) keep(raw []byte) {
	if x.field == "" || len(x.text) > maxText {
		return
	}
	raw = raw[:min(len(raw), maxText+len("<![CDATA[]]>")+1)]
	if section, ok := bytes.CutPrefix(raw, []byte("<![CDATA[")); ok {
		raw = bytes.TrimSuffix(section, []byte("]]>"))
	} else if bytes.IndexByte(raw, '&') >= 0 {
		raw = entities.ReplaceAllFunc(raw, func(e []byte) []byte { return []byte(html.UnescapeString(string(e))) })
	}
	x.text = append(x.text, raw...)
}

func (x *xmlReader) start(offset int64) error {
	tag, _ := x.tokens.TagName()
	name := string(tag)
	local := name[strings.IndexByte(name, ':')+1:]
	prefix := name[:len(name)-len(local)]
	depth := len(x.open)
	if depth == 0 {
		if found, ok := formats[local]; ok {
			x.format = &found
		} else if local == "html" {
			return errors.New("it is an HTML page, not a sitemap")
		} else {
			return fmt.Errorf("it begins with <%.40s>, which no kind of sitemap does", local)
		}
	}
	if depth == maxDepth {
		return fmt.Errorf("elements nest more than %d deep", maxDepth)
	}
	own := x.inItem && prefix == x.itemPrefix
	switch {
	case local == x.item && (depth == x.depth || own && depth == x.depth+1):
		if depth > x.depth {
			x.out.note(offset, "the <%s> before has no end", x.item)
			if err := x.pop(); err != nil {
				return err
			}
		}
		x.inItem, x.itemPrefix, x.entry = true, prefix, Entry{Sitemap: x.kind == kindIndex}
	case !x.inItem || depth != x.depth+1:
	case local == "link" && (!own || x.loc != "link"):
		if err := x.link(own); err != nil {
			return err
		}
	case own && local == x.loc && x.entry.Loc == "", slices.Contains(x.dates, local) && x.entry.Lastmod == 0:
		x.field = local
	}
	x.open = append(x.open, name)
	return nil
}

// link reads a <link> element. It ignores links to files other than HTML, and links without rel="alternate"
// (in Atom, rel may be missing). The first link of an Atom entry is the address of the entry. Every other
// link in an Atom or urlset file is an alternate (another version of a page).
func (x *xmlReader) link(own bool) error {
	attr := map[string]string{}
	for more := true; more; {
		var key, value []byte
		key, value, more = x.tokens.TagAttr()
		attr[string(key)] = string(value)
	}
	atom := x.kind == kindAtom && own
	loc, rel := strings.TrimSpace(attr["href"]), attr["rel"]
	page := attr["type"] == "" || strings.Contains(attr["type"], "html")
	switch {
	case loc == "" || !page || rel != "alternate" && !(atom && rel == ""):
	case atom && x.entry.Loc == "":
		x.entry.Loc = loc
	case (atom || x.kind == kindURLSet) && loc != x.entry.Loc:
		return x.out.put(Entry{Loc: loc, Alternate: true})
	}
	return nil
}

// end reads an end tag at offset in the file. It closes the element and all open elements inside it. It
// ignores an end tag without a start tag.
func (x *xmlReader) end(offset int64) error {
	name, _ := x.tokens.TagName()
	depth := len(x.open) - 1
	for depth >= 0 && x.open[depth] != string(name) {
		depth--
	}
	switch {
	case depth < 0:
		x.out.note(offset, "</%.40s> ends what did not begin", name)
		return nil
	case depth < len(x.open)-1:
		x.out.note(offset, "</%.40s> stands where another element is still open", name)
	}
	for len(x.open) > depth {
		if err := x.pop(); err != nil {
			return err
		}
	}
	return nil
}

func (x *xmlReader) pop() error {
	x.open = x.open[:len(x.open)-1]
	switch {
	case len(x.open) == x.depth+1:
		text := string(bytes.TrimSpace(x.text))
		switch {
		case x.field == "":
			return nil
		case len(x.text) > maxText:
			x.out.note(x.out.offset, "a value is longer than %d bytes", maxText)
		case x.field == x.loc:
			x.entry.Loc = text
		default:
			x.entry.Lastmod = parseDate(text)
		}
		x.field, x.text = "", x.text[:0]
	case len(x.open) == x.depth && x.inItem:
		x.inItem = false
		if x.entry.Loc != "" {
			return x.out.put(x.entry)
		}
		if x.kind == kindURLSet || x.kind == kindIndex { // an entry of a feed needs no address
			x.out.note(x.out.offset, "the <%s> that ends here holds no address", x.item)
		}
	}
	return nil
}

// w3cLayouts are the layouts of a W3C date, the most common first. time.Parse also accepts decimal seconds.
var w3cLayouts = [...]string{
	"2006-01-02T15:04:05Z07:00", "2006-01-02", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05",
	"2006-01-02T15:04:05Z0700", "2006-01-02T15:04Z0700", "2006-01-02T15:04", "2006-01", "2006",
}

// parseDate returns a W3C or RFC 822 date in Unix seconds; 0 for other text. The default time zone is UTC.
func parseDate(text string) int64 {
	w3c := strings.ToUpper(text)
	if len(w3c) > len(time.DateOnly) && w3c[len(time.DateOnly)] == ' ' {
		w3c = w3c[:len(time.DateOnly)] + "T" + strings.ReplaceAll(w3c[len(time.DateOnly)+1:], " ", "")
	}
	for _, layout := range w3cLayouts {
		if at, err := time.Parse(layout, w3c); err == nil {
			return max(at.Unix(), 0)
		}
	}
	if at, err := mail.ParseDate(text); err == nil {
		return max(at.Unix(), 0)
	}
	return 0
}

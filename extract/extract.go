package extract

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/PuerkitoBio/goquery"
	"github.com/andybalholm/cascadia"
	"github.com/cespare/xxhash/v2"

	"sitesync/internal/document"
)

// Revision is the revision of the extractor, part of every rule fingerprint. It
// is raised by hand whenever the same page gives another Draft or Document; the
// golden corpus fails until it is.
const Revision = 2

// Options are the owner's rules, the [extract] table of the configuration.
type Options struct {
	Content     string         // CSS selector of the main content; empty: found
	Exclude     []string       // CSS selectors of what is removed before anything is read
	Description string         // "meta" (also when empty) or "content": the main text as Description
	Location    *time.Location // zone in which Date names a day; nil: UTC
	Between     []string       // pairs of comments' words, such as "cludooff cludoon": what stands between is left out
	Multi       string         // several values of a field: "first" (also when empty), or "join:" and a separator
	Sections    []Section      // the first that matches replaces Content and adds to Exclude
	Fields      []Field
	PDF         FileReader // nil: PDF files have no text
}

// Section is the owner's word on where the main content of a part of the site is.
type Section struct {
	Where   Where
	Content string   // CSS selector; empty: that of Options
	Exclude []string // CSS selectors, beside those of Options
}

// Field is the owner's rule for one field.
type Field struct {
	Name      string
	From      []string // sources; the first that gives a value wins
	Where     Where
	Transform []string
	Map       map[string]string // vocabulary of the transform "map"
	Required  bool              // a page without a value is an error
}

// Where says to which URLs a rule applies.
type Where struct {
	Patterns []string              // as the owner wrote them, for the fingerprint
	Match    func(url string) bool // nil: everywhere
}

// FileReader reads files of one format. It errs where the bytes are no such file;
// a file that can be read and has no text says why in File.NoText.
type FileReader interface {
	Read(body []byte) (document.File, error)
	Close() error
}

// Extractor reads pages by one set of rules. It is safe for concurrent use.
type Extractor struct {
	options  Options
	section  section   // what holds where none of sections does
	sections []section // the first that matches a URL holds
	pairs    []commentPair
	crumbs   goquery.Matcher // the items of a breadcrumb trail
	links    goquery.Matcher
	fields   []fieldRule
	rules    uint64
	walkers  sync.Pool
}

// New compiles every selector once and returns an Extractor. All faults come
// joined in one error, each naming its configuration key.
func New(o Options) (*Extractor, error) {
	e := &Extractor{options: o}
	e.walkers.New = func() any { return new(walker) }
	if e.options.Location == nil {
		e.options.Location = time.UTC
	}
	if err := errors.Join(e.compile(), e.compileFields(), checkDescription(o.Description)); err != nil {
		return nil, err
	}
	e.rules = fingerprint(e.options)
	return e, nil
}

// Close ends what reading files began. The Extractor is of no use afterwards.
func (e *Extractor) Close() error {
	if e.options.PDF == nil {
		return nil
	}
	return e.options.PDF.Close()
}

func (e *Extractor) compile() error {
	e.crumbs = cascadia.MustCompile("li, [itemprop=itemListElement]")
	e.links = cascadia.MustCompile("a")
	e.pairs = commentPairs(e.options.Between)
	return e.compileSections()
}

func checkDescription(value string) error {
	switch value {
	case "", "meta", "content":
		return nil
	}
	return fmt.Errorf(`extract.description: %q is neither "meta" nor "content"`, value)
}

// fingerprint is the extractor's revision and every option that can move a
// Draft or a Document.
func fingerprint(o Options) uint64 {
	return xxhash.Sum64String(fmt.Sprintf("%d %s", Revision, o.base()))
}

// base is every option that holds for all pages.
func (o *Options) base() string {
	return fmt.Sprintf("%q %q %q %t %q", o.Content, o.Exclude, o.Between, o.Description == "content", o.Location)
}

// Fingerprint returns the rule fingerprint of a URL: the extractor's revision
// and the rules that apply to the URL.
func (e *Extractor) Fingerprint(url string) uint64 {
	return e.withFields(e.withSection(e.rules, url), url)
}

// Read makes a Draft of one page: of the tree in p.Root for HTML, of p.Body,
// p.Media and p.Link for a file. It changes nothing in p and keeps
// nothing of it.
//
// It errs with an *UnsupportedError where the media type is none that can be a
// document, with ErrEmpty, ErrBinary or ErrMislabelled where the body is not what
// its type says, and where a required field has no value. The page is then unread.
func (e *Extractor) Read(p *document.Page) (document.Draft, error) { return e.readTraced(p, nil) }

func (e *Extractor) readTraced(p *document.Page, trace *[]Attempt) (document.Draft, error) {
	draft, err := e.read(p, trace)
	if err != nil {
		return document.Draft{}, fmt.Errorf("extract %s: %w", p.URL, err)
	}
	return draft, nil
}

func (e *Extractor) read(p *document.Page, trace *[]Attempt) (document.Draft, error) {
	switch kindOf(p) {
	case kindHTML:
		return e.readHTML(p, trace)
	case kindPDF, kindOffice, kindText:
		return e.readFile(p, trace)
	}
	return document.Draft{}, &UnsupportedError{Media: p.Media}
}

// Sum returns the hash that tells equal content: of the main text for HTML, of
// the bytes for a file. It is zero where there is no content, so that two empty
// pages are not taken for one.
func (e *Extractor) Sum(p *document.Page, d document.Draft) document.Hash {
	if d.Type == document.FileContent {
		return sumBytes(p.Body)
	}
	w := e.walkers.Get().(*walker)
	defer e.release(w)
	w.text.buf = appendContent(w.text.buf[:0], d.Blocks)
	return sumBytes(w.text.buf)
}

func sumBytes(b []byte) document.Hash {
	if len(b) == 0 {
		return document.Hash{}
	}
	return document.HashBytes(b)
}

// maxPooled keeps one giant page from holding its memory for the rest of a run.
const maxPooled = 4 << 20

func (e *Extractor) release(w *walker) {
	if cap(w.text.buf)+24*cap(w.text.spans)+48*cap(w.parts)+250*cap(w.open) > maxPooled {
		return
	}
	w.reset()
	e.walkers.Put(w)
}

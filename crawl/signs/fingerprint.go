package signs

import (
	"iter"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"sitesync/crawl/page"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

const (
	mostWords = 4000
	mostTitle = 4000
	slack     = 3 // number of runs of three words that may differ: one changed word changes three runs
)

// Absence describes how a host answers requests for pages that do not exist: with an error page, or with a
// redirect to one URL. The zero value matches nothing.
type Absence struct {
	Page  *NotFound
	Place string // target of the redirect, compared without its query; empty if there is no redirect
}

// Match returns a.Page if the page at url matches the fingerprint a.Page; otherwise nil. a may be nil.
func (a *Absence) Match(url string, root *html.Node) *NotFound {
	if a == nil || !a.Page.Matches(url, root) {
		return nil
	}
	return a.Page
}

// Leads reports whether a redirect leads to a.Place. It returns false if the paths of the URLs from and to
// differ only in letter case, a trailing slash or the name of an index page.
func (a *Absence) Leads(from, to string) bool {
	return a.Place != "" && placeOf(a.Place) == placeOf(to) && bareForm(from) != bareForm(to)
}

func placeOf(url string) string { return weburl.Origin(url) + weburl.Path(url) }

func bareForm(url string) string {
	form := strings.ToLower(weburl.Path(url))
	if name, _, _ := strings.Cut(path.Base(form), "."); name == "index" || name == "default" {
		form = path.Dir(form)
	}
	return strings.TrimRight(form, "/")
}

// NotFound is the fingerprint of a host's answer for pages that do not exist. It holds the title and the runs
// of three words that two such answers share.
type NotFound struct {
	Refused bool // the answers had the status 404 or 410

	title  []string
	titled bool
	runs   map[uint64]bool
	vary   int // number of runs by which the two answers differ
}

// NewNotFound returns the fingerprint of a host's answers for two URLs without a page. It returns nil if the
// two answers share too little. With status 404 or 410, it also returns nil if an answer is an empty shell
// (see [EmptyShell]), or if the answers share hardly any text and no title: existing pages may look the same.
func NewNotFound(one, other *document.Page) *NotFound {
	first, second := lastingRuns(one.URL, one.Root), lastingRuns(other.URL, other.Root)
	p := &NotFound{Refused: one.Status != http.StatusOK, runs: map[uint64]bool{}, vary: max(len(first), len(second))}
	for hash := range first {
		if second[hash] {
			p.runs[hash] = true
		}
	}
	p.vary -= len(p.runs)
	p.title = without(titleOf(one.Root), weburl.OwnWords(one.URL, 1))
	p.titled = slices.Equal(p.title, without(titleOf(other.Root), weburl.OwnWords(other.URL, 1)))
	sayLittle := len(p.runs) <= slack && (!p.titled || len(p.title) == 0)
	if p.vary > max(slack, len(p.runs)/10) || p.Refused && (sayLittle || EmptyShell(one.Root)) {
		return nil
	}
	return p
}

func lastingRuns(url string, root *html.Node) map[uint64]bool {
	runs := map[uint64]bool{}
	for r := range textRuns(url, root) {
		if r.lasting {
			runs[r.hash] = true
		}
	}
	return runs
}

// Matches reports whether the page at url has the text of the host's answer for missing pages, and nothing
// else. It stops after a few words that differ, so most pages cost little.
func (p *NotFound) Matches(url string, root *html.Node) bool {
	if p == nil {
		return false
	}
	if own := weburl.OwnWords(url, 1); p.titled && !slices.Equal(without(titleOf(root), own), without(p.title, own)) {
		return false
	}
	met, extra := make(map[uint64]bool, len(p.runs)), map[uint64]bool{}
	for r := range textRuns(url, root) {
		switch {
		case p.runs[r.hash]:
			met[r.hash] = true
		case !r.own:
			extra[r.hash] = true
			if len(extra) > p.vary+slack {
				return false
			}
		}
	}
	return len(met)+slack >= len(p.runs)
}

type window struct {
	words [3]uint64
	own   [3]bool
	n     int
}

func (w *window) push(word string, own bool) {
	copy(w.words[:], w.words[1:])
	copy(w.own[:], w.own[1:])
	w.words[2], w.own[2] = xxhash.Sum64String(word), own
	w.n++
}

func (w *window) full() bool  { return w.n >= len(w.words) }
func (w *window) short() bool { return w.n > 0 && !w.full() }
func (w *window) mine() bool  { return w.own[0] || w.own[1] || w.own[2] }
func (w *window) run() uint64 { return w.words[0]*31*31 + w.words[1]*31 + w.words[2] }

// run is three words in a row, or the whole text if it has fewer words.
type run struct {
	hash    uint64
	own     bool // one of the words is in the page's address, which error pages often repeat
	lasting bool // the run still exists after the words of the page's address are removed from the text
}

// textRuns yields the runs of a page. It also yields the runs that the text has without the words of the
// page's address.
func textRuns(url string, root *html.Node) iter.Seq[run] {
	own := weburl.OwnWords(url, 1)
	return func(yield func(run) bool) {
		var all, lasting window
		for word := range shownWords(root) {
			all.push(word, own[word])
			if all.n > mostWords {
				break
			}
			if all.full() && !yield(run{all.run(), all.mine(), !all.mine()}) {
				return
			}
			if own[word] {
				continue
			}
			lasting.push(word, false)
			if lasting.full() && all.mine() && !yield(run{lasting.run(), true, true}) {
				return
			}
		}
		if all.short() && !yield(run{all.run(), all.mine(), !all.mine()}) {
			return
		}
		if lasting.short() && lasting.n < all.n {
			yield(run{lasting.run(), true, true})
		}
	}
}

func shownWords(root *html.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := root; n != nil; n = page.Next(root, n) {
			if n.Type != html.TextNode || page.Hidden(n.Parent) || n.Parent.DataAtom == atom.Title {
				continue
			}
			for word := range weburl.Words(n.Data) {
				if !weburl.Varies(word) && !yield(word) {
					return
				}
			}
		}
	}
}

func titleOf(root *html.Node) []string {
	for n := root; n != nil; n = page.Next(root, n) {
		if n.DataAtom == atom.Title && n.FirstChild != nil {
			title := n.FirstChild.Data
			return slices.Collect(weburl.Words(title[:min(len(title), mostTitle)]))
		}
	}
	return nil
}

func without(words []string, own map[string]bool) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return own[word] || weburl.Varies(word) })
}

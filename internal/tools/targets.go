package tools

import (
	"bytes"
	"cmp"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"

	nethtml "golang.org/x/net/html"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// Target is an address that a search tool leads to.
type Target struct {
	Kind wire.Kind
	Name string
	URL  string // as the file has it
}

// Targets returns every address that the file leads to, once for each tool.
func (f *File) Targets() (all []Target) {
	f.rewrite(func(kind wire.Kind, name, url string) string {
		all = append(all, Target{kind, name, url})
		return url
	})
	return all
}

// Follow puts other addresses in the place of those that moved, links in markup
// included; to returns the new one, or the same. It returns what was replaced. Of pages
// of a ranking that moved to one address the first stays.
func (f *File) Follow(to func(url string) string) (moved []Target) {
	f.rewrite(func(kind wire.Kind, name, url string) string {
		next := to(url)
		if next != url {
			moved = append(moved, Target{kind, name, url})
		}
		return next
	})
	for i := range f.Rankings {
		r, seen := &f.Rankings[i], map[string]bool{}
		r.Pages = slices.DeleteFunc(r.Pages, func(p Page) bool {
			twice := seen[p.URL]
			seen[p.URL] = true
			return twice
		})
	}
	return moved
}

func (f *File) rewrite(to func(kind wire.Kind, name, url string) string) {
	for _, r := range f.Rankings {
		for i := range r.Pages {
			r.Pages[i].URL = to(wire.KindRanking, r.Name, r.Pages[i].URL)
		}
	}
	for i := range f.Quicklinks {
		q := &f.Quicklinks[i]
		q.URL = to(wire.KindQuicklink, q.Name, q.URL)
	}
	for i := range f.Banners {
		b := &f.Banners[i]
		b.HTML = rewriteLinks(b.HTML, func(url string) string { return to(wire.KindBanner, b.Name, url) })
	}
}

// rewriteLinks returns markup with other addresses in its links; all else keeps its bytes.
func rewriteLinks(markup string, to func(url string) string) string {
	var out bytes.Buffer
	z := nethtml.NewTokenizer(strings.NewReader(markup))
	for z.Next() != nethtml.ErrorToken {
		raw := string(z.Raw())
		token := z.Token()
		if token.Data == "a" || token.Data == "area" {
			raw = rewriteHref(raw, to)
		}
		out.WriteString(raw)
	}
	if z.Err() != io.EOF {
		return markup
	}
	return out.String() + string(z.Raw())
}

// attribute is one attribute of a tag, or the tag's name: its value as written is the
// group, with its quotes.
var attribute = regexp.MustCompile(`[^\s"'<>/=]+(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'>][^\s>]*))?`)

// rewriteHref puts another address into a tag's href, however it is written there.
func rewriteHref(tag string, to func(url string) string) string {
	for _, at := range attribute.FindAllStringSubmatchIndex(tag, -1) {
		if at[2] < 0 || !strings.EqualFold(strings.TrimRight(strings.SplitN(tag[at[0]:at[2]], "=", 2)[0], " \t\r\n\f"), "href") {
			continue
		}
		written := tag[at[2]:at[3]]
		quote := ""
		if written[0] == '"' || written[0] == '\'' {
			quote, written = written[:1], written[1:len(written)-1]
		}
		was := strings.TrimSpace(html.UnescapeString(written))
		next := to(was)
		if next == was {
			return tag
		}
		return tag[:at[2]] + quote + html.EscapeString(next) + quote + tag[at[3]:]
	}
	return tag
}

// Found says what the last crawls know of an address.
type Found string

// The values of Found. An address of another site is not judged.
const (
	FoundOK         Found = "ok"
	FoundGone       Found = "gone"
	FoundMoved      Found = "moved"
	FoundNoIndex    Found = "noindex"
	FoundOutOfScope Found = "out-of-scope"
	FoundDuplicate  Found = "duplicate" // the index holds its text under another address
	FoundNever      Found = "never-seen"
	FoundElsewhere  Found = "another-site"
	FoundUnread     Found = "unread"
)

// Wrong reports whether somebody should look at an address.
func (f Found) Wrong() bool { return f != FoundOK && f != FoundElsewhere && f != FoundUnread }

// Known is what the ledger and the configuration say of one address of the site.
type Known struct {
	Record   *document.Record
	Past     *document.Entry // the last change that the history tells of; nil: none
	Foreign  bool            // it is another site's
	OutScope string          // the rule that excludes it; empty: none
}

// Judge returns what is known of an address, where it leads when that is elsewhere, and
// how that is known.
func (k Known) Judge() (found Found, to, why string) {
	switch {
	case k.Foreign:
		return FoundElsewhere, "", "of another site: not judged"
	case k.OutScope != "":
		return FoundOutOfScope, "", k.OutScope
	case k.Record.IsDocument() && k.Record.Misses > 0:
		return FoundGone, "", "missing when last looked at; its document is not deleted yet"
	case k.Record.IsDocument():
		return FoundOK, "", ""
	case k.Record != nil && k.Record.Canonical != "":
		return FoundDuplicate, k.Record.Canonical, "the index holds it under this address"
	case k.Record != nil && len(k.Record.Looks) > 0:
		last := k.Record.Looks[len(k.Record.Looks)-1]
		found := map[document.Seen]Found{
			document.Moved: FoundMoved, document.NoIndex: FoundNoIndex, document.OutOfScope: FoundOutOfScope,
			document.Disallowed: FoundOutOfScope, document.Gone: FoundGone, document.Missing: FoundGone,
		}[last.Seen]
		switch {
		case found != FoundMoved:
			return cmp.Or(found, FoundUnread), "", cmp.Or(last.Why, "in run "+last.Run)
		case strings.Contains(last.Why, "://"):
			return FoundMoved, last.Why, "redirects"
		}
		return FoundMoved, "", "redirects"
	case k.Past != nil && k.Past.Op == document.Delete:
		found := cmp.Or(map[document.Cause]Found{
			document.CauseMoved: FoundMoved, document.CauseRedirected: FoundMoved, document.CauseNoIndex: FoundNoIndex,
			document.CauseOutOfScope: FoundOutOfScope, document.CauseRobots: FoundOutOfScope, document.CauseDuplicate: FoundDuplicate,
		}[k.Past.Cause], FoundGone)
		if found == FoundMoved || found == FoundDuplicate {
			to = k.Past.To
		}
		return found, to, k.Past.Evidence
	}
	return FoundNever, "", "no crawl has seen it there"
}

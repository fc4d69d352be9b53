package tools

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"sitesync/internal/wire"
)

// maxName is the greatest length of a tool's name, in bytes. Names are part of keys in the ledger, the
// database of what was sent.
const maxName = 500

// File is a file that declares search tools. Package config uses the tags other than toml.
type File struct {
	Rankings   []Ranking   `toml:"ranking,omitempty"`
	Quicklinks []Quicklink `toml:"quicklink,omitempty"`
	Banners    []Banner    `toml:"banner,omitempty"`
	Synonyms   []Synonyms  `toml:"synonyms,omitempty"`
}

// Ranking puts pages at fixed positions in the results for some terms, or hides them.
type Ranking struct {
	Name  string   `toml:"name" is:"filled"`
	Terms []string `toml:"terms,omitempty" is:"filled"`
	Pages []Page   `toml:"pages,omitempty,multiline,inline"`
}

type Page struct {
	URL   string `toml:"url,omitempty" is:"address"`
	ID    string `toml:"id,omitempty"`           // document ID; default: URL
	Title string `toml:"title,omitempty"`        // default: URL
	Rank  int    `toml:"rank,omitempty" min:"1"` // default: position in the list, from 1
	Hide  bool   `toml:"hide,omitempty"`
}

// Quicklink offers an address to visitors who search for a term.
type Quicklink struct {
	Name  string   `toml:"name" is:"filled"` // the service does not store it
	URL   string   `toml:"url,omitempty" is:"address"`
	Terms []string `toml:"terms,omitempty" is:"filled"`
}

// Banner is shown above the results for some terms.
type Banner struct {
	Name     string    `toml:"name" is:"filled"`
	HTML     string    `toml:"html,multiline" is:"filled"`
	Terms    []string  `toml:"terms,omitempty" is:"filled"`
	From     time.Time `toml:"from,omitempty"` // From and To are the display window; a zero time is no bound
	To       time.Time `toml:"to,omitempty"`
	Disabled bool      `toml:"disabled,omitempty"`
}

// Synonyms is a group of words with the same meaning.
type Synonyms struct {
	Name     string   `toml:"name" is:"filled"` // the service does not store it
	Words    []string `toml:"words,omitempty" is:"filled"`
	Language string   `toml:"language,omitempty"` // two letters; default: en
}

// Check calls fault for each value that is missing, repeated or invalid. section and key name the value, and
// i is the index of the tool in its section.
func (f *File) Check(fault func(section string, i int, key, text string)) {
	taken := map[[2]string]bool{}
	check := func(section string, i int, name string, has map[string]int) func(key, text string) {
		note := func(key, text string) { fault(section, i, key, text) }
		has["name"] = len(name)
		for _, key := range slices.Sorted(maps.Keys(has)) {
			if has[key] == 0 {
				note(key, "is missing")
			}
		}
		if len(name) > maxName {
			note("name", fmt.Sprintf("must have %d bytes at most", maxName))
		}
		is := [2]string{section, name}
		if name != "" && taken[is] {
			note("name", fmt.Sprintf("%q is the name of another one above: each needs its own", name))
		}
		taken[is] = true
		return note
	}
	for i, r := range f.Rankings {
		note := check("ranking", i, r.Name, map[string]int{"terms": len(r.Terms), "pages": len(r.Pages)})
		for i, p := range r.Pages {
			switch first := slices.IndexFunc(r.Pages, func(q Page) bool { return q.URL == p.URL }); {
			case p.URL == "":
				note("pages", fmt.Sprintf("page %d has no url", i+1))
			case first < i:
				note("pages", fmt.Sprintf("%s stands here twice", p.URL))
			}
		}
	}
	for i, q := range f.Quicklinks {
		check("quicklink", i, q.Name, map[string]int{"url": len(q.URL), "terms": len(q.Terms)})
	}
	for i, b := range f.Banners {
		note := check("banner", i, b.Name, map[string]int{"html": len(b.HTML)})
		if !b.From.IsZero() && !b.To.IsZero() && !b.From.Before(b.To) {
			note("to", "must be later than from")
		}
	}
	for i, s := range f.Synonyms {
		note := check("synonyms", i, s.Name, map[string]int{})
		if len(s.Words) < 2 {
			note("words", "must be two words at least")
		}
		if s.Language != "" && len(s.Language) != 2 {
			note("language", `must be two letters, such as "en"`)
		}
	}
}

// Target is an address to which a search tool sends visitors.
type Target struct {
	Kind wire.Kind
	Name string
	URL  string
}

// Targets returns the addresses of all pages and quicklinks, and of the links in banners.
func (f *File) Targets() (all []Target) {
	for _, r := range f.Rankings {
		for _, p := range r.Pages {
			all = append(all, Target{wire.KindRanking, r.Name, p.URL})
		}
	}
	for _, q := range f.Quicklinks {
		all = append(all, Target{wire.KindQuicklink, q.Name, q.URL})
	}
	for _, b := range f.Banners {
		for z := html.NewTokenizer(strings.NewReader(b.HTML)); z.Next() != html.ErrorToken; {
			tag := z.Token()
			href := slices.IndexFunc(tag.Attr, func(a html.Attribute) bool { return a.Key == "href" })
			if href >= 0 && (tag.Data == "a" || tag.Data == "area") {
				all = append(all, Target{wire.KindBanner, b.Name, strings.TrimSpace(tag.Attr[href].Val)})
			}
		}
	}
	return all
}

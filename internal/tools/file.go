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

// maxName bounds a name, in bytes: it is part of a key of the ledger.
const maxName = 500

// File is what a file of search tools declares. The tags are those of package config.
type File struct {
	Rankings   []Ranking   `toml:"ranking,omitempty"`
	Quicklinks []Quicklink `toml:"quicklink,omitempty"`
	Banners    []Banner    `toml:"banner,omitempty"`
	Synonyms   []Synonyms  `toml:"synonyms,omitempty"`
}

// Ranking puts pages at positions of the results for some terms, or hides them.
type Ranking struct {
	Name  string   `toml:"name" is:"filled"`
	Terms []string `toml:"terms,omitempty" is:"filled"`
	Pages []Page   `toml:"pages,omitempty,multiline,inline"`
}

// Page is one page of a Ranking.
type Page struct {
	URL   string `toml:"url,omitempty" is:"address"`
	ID    string `toml:"id,omitempty"`           // of the document; default: the URL
	Title string `toml:"title,omitempty"`        // default: the URL
	Rank  int    `toml:"rank,omitempty" min:"1"` // default: its place in the list, from 1
	Hide  bool   `toml:"hide,omitempty"`
}

// Quicklink leads those who search for a term to an address.
type Quicklink struct {
	Name  string   `toml:"name" is:"filled"` // in file and ledger alone: the service knows none
	URL   string   `toml:"url,omitempty" is:"address"`
	Terms []string `toml:"terms,omitempty" is:"filled"`
}

// Banner is shown above the results for some terms.
type Banner struct {
	Name     string    `toml:"name" is:"filled"`
	HTML     string    `toml:"html,multiline" is:"filled"`
	Terms    []string  `toml:"terms,omitempty" is:"filled"`
	From     time.Time `toml:"from,omitempty"` // of the display window; zero: open
	To       time.Time `toml:"to,omitempty"`
	Disabled bool      `toml:"disabled,omitempty"`
}

// Synonyms is a group of words that mean the same in a language.
type Synonyms struct {
	Name     string   `toml:"name" is:"filled"` // in file and ledger alone
	Words    []string `toml:"words,omitempty" is:"filled"`
	Language string   `toml:"language,omitempty"` // two letters; default: en
}

// Check tells of every fault that takes more than one value to see: of a key of the
// i-th section.
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
		note, seen := check("ranking", i, r.Name, map[string]int{"terms": len(r.Terms), "pages": len(r.Pages)}), map[string]bool{}
		for i, p := range r.Pages {
			if p.URL == "" {
				note("pages", fmt.Sprintf("page %d has no url", i+1))
			} else if seen[p.URL] {
				note("pages", fmt.Sprintf("%s stands here twice", p.URL))
			}
			seen[p.URL] = true
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

// Target is an address that a search tool leads to.
type Target struct {
	Kind wire.Kind
	Name string
	URL  string // as the file has it
}

// Targets returns every address that the file leads to, tool by tool.
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

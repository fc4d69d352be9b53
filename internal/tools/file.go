package tools

import (
	"fmt"
	"time"
)

// maxName bounds a name, in bytes: it is part of a key of the ledger.
const maxName = 500

// File is what a file of search tools declares. The tags are those of package config.
type File struct {
	Rankings   []Ranking   `toml:"ranking"`
	Quicklinks []Quicklink `toml:"quicklink"`
	Banners    []Banner    `toml:"banner"`
	Synonyms   []Synonyms  `toml:"synonyms"`
}

// Ranking puts pages at positions of the results for some terms, or hides them.
type Ranking struct {
	Name  string   `toml:"name" is:"filled"`
	Terms []string `toml:"terms" is:"filled"`
	Pages []Page   `toml:"pages"`
}

// Page is one page of a Ranking.
type Page struct {
	URL   string `toml:"url" is:"address"`
	Title string `toml:"title"`        // default: the URL
	Rank  int    `toml:"rank" min:"1"` // default: its place in the list, from 1
	Hide  bool   `toml:"hide"`
}

// Quicklink leads those who search for a term to an address.
type Quicklink struct {
	Name  string   `toml:"name" is:"filled"` // in file and ledger alone: the service knows none
	URL   string   `toml:"url" is:"address"`
	Terms []string `toml:"terms" is:"filled"`
}

// Banner is shown above the results for some terms.
type Banner struct {
	Name     string    `toml:"name" is:"filled"`
	HTML     string    `toml:"html" is:"filled"`
	Terms    []string  `toml:"terms" is:"filled"`
	From     time.Time `toml:"from"` // of the display window; zero: open
	To       time.Time `toml:"to"`
	Disabled bool      `toml:"disabled"`
}

// Synonyms is a group of words that mean the same in a language.
type Synonyms struct {
	Name     string   `toml:"name" is:"filled"` // in file and ledger alone
	Words    []string `toml:"words" is:"filled"`
	Language string   `toml:"language"` // two letters; default: en
}

// Check tells of every fault that takes more than one value to see: of a key of the
// i-th section.
func (f *File) Check(fault func(section string, i int, key, text string)) {
	taken := takenNames{}
	for i, r := range f.Rankings {
		taken.check(fault, "ranking", i, r.Name)
		needs(fault, "ranking", i, "terms", len(r.Terms))
		needs(fault, "ranking", i, "pages", len(r.Pages))
		r.checkPages(func(text string) { fault("ranking", i, "pages", text) })
	}
	for i, q := range f.Quicklinks {
		taken.check(fault, "quicklink", i, q.Name)
		needs(fault, "quicklink", i, "url", len(q.URL))
		needs(fault, "quicklink", i, "terms", len(q.Terms))
	}
	for i, b := range f.Banners {
		taken.check(fault, "banner", i, b.Name)
		needs(fault, "banner", i, "html", len(b.HTML))
		if !b.From.IsZero() && !b.To.IsZero() && !b.From.Before(b.To) {
			fault("banner", i, "to", "must be later than from")
		}
	}
	for i, s := range f.Synonyms {
		taken.check(fault, "synonyms", i, s.Name)
		if len(s.Words) < 2 {
			fault("synonyms", i, "words", "must be two words at least")
		}
		if s.Language != "" && len(s.Language) != 2 {
			fault("synonyms", i, "language", `must be two letters, such as "en"`)
		}
	}
}

// takenNames are the names of earlier sections of each kind.
type takenNames map[[2]string]bool

// check tells of a name that is missing, too long, or that of an earlier section.
func (n takenNames) check(fault func(section string, i int, key, text string), section string, i int, name string) {
	needs(fault, section, i, "name", len(name))
	if len(name) > maxName {
		fault(section, i, "name", fmt.Sprintf("must have %d bytes at most", maxName))
	}
	if is := [2]string{section, name}; name != "" && n[is] {
		fault(section, i, "name", fmt.Sprintf("%q is the name of another one above: each needs its own", name))
	} else {
		n[is] = true
	}
}

func needs(fault func(section string, i int, key, text string), section string, i int, key string, has int) {
	if has == 0 {
		fault(section, i, key, "is missing")
	}
}

func (r *Ranking) checkPages(fault func(text string)) {
	seen := map[string]bool{}
	for i, p := range r.Pages {
		switch {
		case p.URL == "":
			fault(fmt.Sprintf("page %d has no url", i+1))
		case seen[p.URL]:
			fault(fmt.Sprintf("%s stands here twice", p.URL))
		}
		seen[p.URL] = true
	}
}

package tools

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// TakeOver returns what the ledger keeps of a tool of the service, as its JSON raw shows
// it, and the text that the file lacks to declare it, if any. It errs when the ledger
// knows the tool, or it is another engine's.
func (f *File) TakeOver(kind wire.Kind, raw []byte, engine int64, known []document.Tool) (tool document.Tool, text string, err error) {
	id, shown, all := kind.ID(raw), view(kind, raw), f.Declared(engine)
	if k := Keeper(kind, raw, known); k != nil {
		return tool, "", fmt.Errorf("take over %s %d: it is %q in the file already", kind, id, k.Name)
	}
	if of := valueOf(shown, "engine"); kind != wire.KindSynonyms && of != engineOf(engine).Value {
		return tool, "", fmt.Errorf("take over %s %d: it belongs to engine %s", kind, id, of)
	}
	tool = document.Tool{Kind: string(kind), ID: id, Seen: raw}
	for _, d := range all {
		i := slices.IndexFunc(known, func(k document.Tool) bool { return k.Kind == string(d.Kind) && k.Name == d.Name })
		if d.Kind != kind || i >= 0 && !known[i].Making {
			continue
		}
		want := view(kind, d.Body)
		same := len(differences(want, shown)) == 0
		if !same && (want[0].Name != "name" || want[0] != shown[0]) {
			continue
		}
		if tool.Name = d.Name; same {
			tool.Declared = document.HashBytes(d.Body)
		}
		if i >= 0 && known[i].ID != 0 && known[i].ID != id { // it was to take that one's place
			tool.Old = append(known[i].Old, known[i].ID)
		}
		return tool, "", nil
	}
	one := declare(kind, raw)
	fit := func(name *string) { // the service knows none
		*name = strings.ToValidUTF8((*name)[:min(len(*name), maxName-20)], "")
		if *name == "" || slices.ContainsFunc(all, func(d Declared) bool { return d.Kind == kind && d.Name == *name }) {
			*name = strings.TrimSpace(fmt.Sprintf("%s %d", *name, id))
		}
	}
	for i := range one.Quicklinks {
		fit(&one.Quicklinks[i].Name)
	}
	for i := range one.Synonyms {
		fit(&one.Synonyms[i].Name)
	}
	d := one.Declared(engine)[0]
	tool.Name, tool.Declared = d.Name, document.HashBytes(d.Body)
	return tool, one.text(), nil
}

// Keeper returns what the ledger knows a tool of the service as; nil: it does not. One
// that is in doubt may be taken over.
func Keeper(kind wire.Kind, raw []byte, known []document.Tool) *document.Tool {
	id := kind.ID(raw)
	i := slices.IndexFunc(known, func(k document.Tool) bool {
		return k.Kind == string(kind) && id != 0 && (k.ID == id && !k.Making || slices.Contains(k.Old, id))
	})
	if i < 0 {
		return nil
	}
	return &known[i]
}

// declare returns a file with a tool of the service alone.
func declare(kind wire.Kind, raw []byte) (f File) {
	switch kind {
	case wire.KindRanking:
		r := decode[wire.Ranking](raw)
		f.Rankings = []Ranking{{Name: r.Name, Terms: names(r.RankingTerms), Pages: pages(r.Pages)}}
	case wire.KindQuicklink:
		q := decode[wire.Quicklink](raw)
		f.Quicklinks = []Quicklink{{Name: cmp.Or(path.Base(strings.TrimRight(q.URL, "/")), "quicklink"), URL: q.URL, Terms: names(q.Terms)}}
	case wire.KindBanner:
		b := decode[wire.Banner](raw)
		from, _ := time.Parse(time.RFC3339, plainTime(b.From))
		to, _ := time.Parse(time.RFC3339, plainTime(b.To))
		f.Banners = []Banner{{Name: b.Name, HTML: b.HTMLCode, Terms: names(b.BannerTerms), From: from, To: to, Disabled: b.IsDisabled}}
	case wire.KindSynonyms:
		s := decode[wire.SynonymGroup](raw)
		f.Synonyms = []Synonyms{{Name: strings.Join(s.Words, ", "), Words: s.Words, Language: s.Language}}
	}
	return f
}

func names(terms []wire.Term) (all []string) {
	for _, t := range terms {
		all = append(all, t.Name)
	}
	return all
}

func pages(ranked []wire.RankedPage) (all []Page) {
	slices.SortStableFunc(ranked, func(a, b wire.RankedPage) int { return a.Rank - b.Rank })
	for i, p := range ranked {
		page := Page{URL: p.Page.PageURL, Title: p.Page.Name, Rank: p.Rank, Hide: !p.ShowPage}
		if page.Title == page.URL {
			page.Title = ""
		}
		if page.Rank == i+1 {
			page.Rank = 0
		}
		all = append(all, page)
	}
	return all
}

// text returns the only tool of f as TOML.
func (f *File) text() string {
	var kind wire.Kind
	var keys []string
	for _, r := range f.Rankings {
		pages := "[\n"
		for _, p := range r.Pages {
			pages += "    { " + strings.Join(pairs("url", quote(p.URL), "title", quote(p.Title), "rank", plain(p.Rank), "hide", plain(p.Hide)), ", ") + " },\n"
		}
		kind, keys = wire.KindRanking, pairs("name", quote(r.Name), "terms", quoteAll(r.Terms), "pages", pages+"]")
	}
	for _, q := range f.Quicklinks {
		kind, keys = wire.KindQuicklink, pairs("name", quote(q.Name), "url", quote(q.URL), "terms", quoteAll(q.Terms))
	}
	for _, n := range f.Banners {
		kind, keys = wire.KindBanner, pairs("name", quote(n.Name), "html", quote(n.HTML), "terms", quoteAll(n.Terms), "from", instant(n.From), "to", instant(n.To), "disabled", plain(n.Disabled))
	}
	for _, s := range f.Synonyms {
		kind, keys = wire.KindSynonyms, pairs("name", quote(s.Name), "words", quoteAll(s.Words), "language", quote(s.Language))
	}
	return fmt.Sprintf("[[%s]]\n%s\n", kind, strings.Join(keys, "\n"))
}

// pairs returns "key = value" of each key that has a value.
func pairs(keys ...string) (all []string) {
	for pair := range slices.Chunk(keys, 2) {
		if pair[1] != "" {
			all = append(all, pair[0]+" = "+pair[1])
		}
	}
	return all
}

// plain returns a number or a flag as TOML, and nothing of its zero.
func plain[T int | bool](v T) string {
	if v == *new(T) {
		return ""
	}
	return fmt.Sprint(v)
}

// quote returns a text as TOML: JSON's escapes are among those of its basic strings.
// Lines are kept where a literal can hold them. It returns nothing of an empty text.
func quote(s string) string {
	if s == "" {
		return ""
	}
	plain := strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }) < 0
	if strings.Contains(s, "\n") && plain && !strings.Contains(s, "'''") && !strings.HasSuffix(s, "'") {
		return "'''\n" + s + "'''"
	}
	return strings.ReplaceAll(string(encode(s)), "\x7f", `\u007f`)
}

// quoteAll returns texts as TOML, and nothing of none.
func quoteAll(all []string) string {
	if len(all) == 0 {
		return ""
	}
	quoted := make([]string, len(all))
	for i, s := range all {
		quoted[i] = cmp.Or(quote(s), `""`)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

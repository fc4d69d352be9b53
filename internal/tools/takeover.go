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

// Takeover is a tool of the service that is taken over: what the ledger keeps, and what
// the file lacks to declare it; Text is empty when it declares it already.
type Takeover struct {
	Tool document.Tool
	Text string
}

// TakeOver returns what it takes to keep a tool of the service, as its JSON raw shows it,
// by the file. It errs when the ledger knows it, or it is another engine's.
func (f *File) TakeOver(kind wire.Kind, raw []byte, engine int64, known []document.Tool) (Takeover, error) {
	id, shown := idOf(raw), view(kind, raw)
	if k := Keeper(kind, raw, known); k != nil {
		return Takeover{}, fmt.Errorf("take over %s %d: it is %q in the file already", kind, id, k.Name)
	}
	if of := valueOf(shown, "engine"); kind != wire.KindSynonyms && of != engineOf(engine).Value {
		return Takeover{}, fmt.Errorf("take over %s %d: it belongs to engine %s", kind, id, of)
	}
	tool := document.Tool{Kind: string(kind), ID: id, Seen: raw}
	for _, d := range f.Declared(engine) {
		i := slices.IndexFunc(known, d.is)
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
		return Takeover{Tool: tool}, nil
	}
	one := declare(kind, raw)
	one.rename(f, kind, id)
	d := one.Declared(engine)[0]
	tool.Name, tool.Declared = d.Name, document.HashBytes(d.Body)
	return Takeover{tool, one.text()}, nil
}

// Keeper returns what the ledger knows a tool of the service as; nil: it does not. One
// that is in doubt may be taken over.
func Keeper(kind wire.Kind, raw []byte, known []document.Tool) *document.Tool {
	id := idOf(raw)
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

// rename gives the only tool of f a name that no other of its kind in the file has.
func (f *File) rename(others *File, kind wire.Kind, id int64) {
	taken := func(name string) bool {
		return slices.ContainsFunc(others.Declared(0), func(d Declared) bool { return d.Kind == kind && d.Name == name })
	}
	fit := func(name *string) {
		if *name = strings.ToValidUTF8((*name)[:min(len(*name), maxName-20)], ""); *name == "" || taken(*name) {
			*name = strings.TrimSpace(fmt.Sprintf("%s %d", *name, id))
		}
	}
	for i := range f.Quicklinks {
		fit(&f.Quicklinks[i].Name)
	}
	for i := range f.Synonyms {
		fit(&f.Synonyms[i].Name)
	}
}

// text returns the only tool of f as TOML.
func (f *File) text() string {
	var b strings.Builder
	for _, r := range f.Rankings {
		fmt.Fprintf(&b, "[[ranking]]\nname = %s\nterms = %s\npages = [\n", quote(r.Name), quoteAll(r.Terms))
		for _, p := range r.Pages {
			fmt.Fprintf(&b, "    { url = %s", quote(p.URL))
			writeIf(&b, p.Title != "", ", title = %s", quote(p.Title))
			writeIf(&b, p.Rank != 0, ", rank = %d", p.Rank)
			writeIf(&b, p.Hide, ", hide = true")
			b.WriteString(" },\n")
		}
		b.WriteString("]\n")
	}
	for _, q := range f.Quicklinks {
		fmt.Fprintf(&b, "[[quicklink]]\nname = %s\nurl = %s\nterms = %s\n", quote(q.Name), quote(q.URL), quoteAll(q.Terms))
	}
	for _, n := range f.Banners {
		fmt.Fprintf(&b, "[[banner]]\nname = %s\nhtml = %s\n", quote(n.Name), quote(n.HTML))
		writeIf(&b, len(n.Terms) > 0, "terms = %s\n", quoteAll(n.Terms))
		writeIf(&b, !n.From.IsZero(), "from = %s\n", instant(n.From))
		writeIf(&b, !n.To.IsZero(), "to = %s\n", instant(n.To))
		writeIf(&b, n.Disabled, "disabled = true\n")
	}
	for _, s := range f.Synonyms {
		fmt.Fprintf(&b, "[[synonyms]]\nname = %s\nwords = %s\nlanguage = %s\n", quote(s.Name), quoteAll(s.Words), quote(s.Language))
	}
	return b.String()
}

func writeIf(b *strings.Builder, is bool, format string, args ...any) {
	if is {
		fmt.Fprintf(b, format, args...)
	}
}

// quote returns a text as TOML: JSON's escapes are among those of its basic strings.
// Lines are kept where a literal can hold them.
func quote(s string) string {
	plain := strings.IndexFunc(s, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 0x7f }) < 0
	if strings.Contains(s, "\n") && plain && !strings.Contains(s, "'''") && !strings.HasSuffix(s, "'") {
		return "'''\n" + s + "'''"
	}
	return strings.ReplaceAll(string(encode(s)), "\x7f", `\u007f`)
}

func quoteAll(all []string) string {
	quoted := make([]string, len(all))
	for i, s := range all {
		quoted[i] = quote(s)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

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
		tool.Name = d.Name
		if same {
			tool.Declared = document.HashBytes(d.Body)
		}
		return tool, "", nil
	}
	one, text := declare(kind, raw, func(name string) string {
		name = strings.ToValidUTF8(name[:min(len(name), maxName-20)], "")
		if name == "" || slices.ContainsFunc(all, func(d Declared) bool { return d.Kind == kind && d.Name == name }) {
			return strings.TrimSpace(fmt.Sprintf("%s %d", name, id))
		}
		return name
	})
	d := one.Declared(engine)[0]
	tool.Name, tool.Declared = d.Name, document.HashBytes(d.Body)
	return tool, text, nil
}

// Keeper returns what the ledger knows a tool of the service as; nil: it does not. One
// that is in doubt may be taken over.
func Keeper(kind wire.Kind, raw []byte, known []document.Tool) *document.Tool {
	id := kind.ID(raw)
	i := slices.IndexFunc(known, func(k document.Tool) bool {
		return k.Kind == string(kind) && id != 0 && k.ID == id && !k.Making
	})
	if i < 0 {
		return nil
	}
	return &known[i]
}

// declare returns a file with a tool of the service alone, and its TOML. Of a kind of
// which the service knows no names, fit makes one.
func declare(kind wire.Kind, raw []byte, fit func(name string) string) (f File, text string) {
	var keys []string
	switch kind {
	case wire.KindRanking:
		r := decode[wire.Ranking](raw)
		list, text := pages(r.Pages)
		f.Rankings = []Ranking{{Name: r.Name, Terms: names(r.RankingTerms), Pages: list}}
		keys = pairs("name", quote(r.Name), "terms", quoteAll(names(r.RankingTerms)), "pages", text)
	case wire.KindQuicklink:
		l := decode[wire.Quicklink](raw)
		q := Quicklink{Name: fit(cmp.Or(path.Base(strings.TrimRight(l.URL, "/")), "quicklink")), URL: l.URL, Terms: names(l.Terms)}
		f.Quicklinks = []Quicklink{q}
		keys = pairs("name", quote(q.Name), "url", quote(q.URL), "terms", quoteAll(q.Terms))
	case wire.KindBanner:
		b := decode[wire.Banner](raw)
		from, _ := time.Parse(time.RFC3339, plainTime(b.From))
		to, _ := time.Parse(time.RFC3339, plainTime(b.To))
		f.Banners = []Banner{{Name: b.Name, HTML: b.HTMLCode, Terms: names(b.BannerTerms), From: from, To: to, Disabled: b.IsDisabled}}
		keys = pairs("name", quote(b.Name), "html", quote(b.HTMLCode), "terms", quoteAll(names(b.BannerTerms)), "from", instant(from), "to", instant(to), "disabled", plain(b.IsDisabled))
	case wire.KindSynonyms:
		g := decode[wire.SynonymGroup](raw)
		s := Synonyms{Name: fit(strings.Join(g.Words, ", ")), Words: g.Words, Language: g.Language}
		f.Synonyms = []Synonyms{s}
		keys = pairs("name", quote(s.Name), "words", quoteAll(s.Words), "language", quote(s.Language))
	}
	return f, fmt.Sprintf("[[%s]]\n%s\n", kind, strings.Join(keys, "\n"))
}

func names(terms []wire.Term) (all []string) {
	for _, t := range terms {
		all = append(all, t.Name)
	}
	return all
}

// pages returns the pages of a ranking by rank, and their TOML.
func pages(ranked []wire.RankedPage) (all []Page, text string) {
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
		text += "    { " + strings.Join(pairs("url", quote(page.URL), "title", quote(page.Title), "rank", plain(page.Rank), "hide", plain(page.Hide)), ", ") + " },\n"
	}
	return all, "[\n" + text + "]"
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

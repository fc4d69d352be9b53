package tools

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// TakeOver returns a ledger entry for a search tool of the service. The ledger records what was last sent.
// text is the declaration to append to the file, or "" if the file declares the tool. TakeOver errs if
// the ledger knows the tool already, or if the tool belongs to another engine.
func (f *File) TakeOver(
	kind wire.Kind, raw []byte, engine int64, known []document.Tool,
) (tool document.Tool, text string, err error) {
	id, shown, all := kind.ID(raw), view(kind, raw), f.Declared(engine)
	for _, k := range known {
		if k.Kind == string(kind) && id != 0 && k.ID == id && !k.Making { // unfinished creates are exempt
			return tool, "", fmt.Errorf("take over %s %d: it is %q in the file already", kind, id, k.Name)
		}
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
			tool.Declared = document.HashOf(d.Body)
		}
		return tool, "", nil
	}
	one := declare(kind, raw, func(name string) string {
		name = strings.ToValidUTF8(name[:min(len(name), maxName-20)], "")
		if name == "" || slices.ContainsFunc(all, func(d Declared) bool { return d.Kind == kind && d.Name == name }) {
			return strings.TrimSpace(fmt.Sprintf("%s %d", name, id))
		}
		return name
	})
	d := one.Declared(engine)[0]
	tool.Name, tool.Declared = d.Name, document.HashOf(d.Body)
	out, err := toml.Marshal(one)
	return tool, string(out), err
}

// declare returns a file that declares only the given tool. If the service stores no name for the tool, fit
// makes one.
func declare(kind wire.Kind, raw []byte, fit func(name string) string) (f File) {
	switch kind {
	case wire.KindRanking:
		r := decode[wire.Ranking](raw)
		f.Rankings = []Ranking{{Name: r.Name, Terms: names(r.RankingTerms), Pages: pages(r.Pages)}}
	case wire.KindQuicklink:
		q := decode[wire.Quicklink](raw)
		name := fit(cmp.Or(path.Base(strings.TrimRight(q.URL, "/")), "quicklink"))
		f.Quicklinks = []Quicklink{{Name: name, URL: q.URL, Terms: names(q.Terms)}}
	case wire.KindBanner:
		b := decode[wire.Banner](raw)
		from, _ := time.Parse(time.RFC3339, plainTime(b.From))
		to, _ := time.Parse(time.RFC3339, plainTime(b.To))
		f.Banners = []Banner{{
			Name: b.Name, HTML: b.HTMLCode, Terms: names(b.BannerTerms), From: from, To: to, Disabled: b.IsDisabled,
		}}
	case wire.KindSynonyms:
		g := decode[wire.SynonymGroup](raw)
		f.Synonyms = []Synonyms{{Name: fit(strings.Join(g.Words, ", ")), Words: g.Words, Language: g.Language}}
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
		if p.Page.PageID != page.URL {
			page.ID = p.Page.PageID
		}
		if page.Rank == i+1 {
			page.Rank = 0
		}
		all = append(all, page)
	}
	return all
}

package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"sitesync/internal/wire"
)

// Declared is one search tool of a file: Body is what is sent of it to create it.
type Declared struct {
	Kind wire.Kind
	Name string
	Body []byte
}

// Declared returns the search tools of a file for one engine, in the order of the
// specification's kinds and of the file.
func (f *File) Declared(engine int64) (all []Declared) {
	add := func(kind wire.Kind, name string, body any) {
		all = append(all, Declared{kind, name, encode(body)})
	}
	for _, r := range f.Rankings {
		add(wire.KindRanking, r.Name, r.wire(engine))
	}
	for _, q := range f.Quicklinks {
		add(wire.KindQuicklink, q.Name, wire.Quicklink{URL: q.URL, WebsiteID: engine, Terms: terms(q.Terms)})
	}
	for _, b := range f.Banners {
		add(wire.KindBanner, b.Name, wire.Banner{
			Name: b.Name, HTMLCode: b.HTML, WebsiteID: engine, BannerTerms: terms(b.Terms), IsDisabled: b.Disabled, From: instant(b.From), To: instant(b.To),
		})
	}
	for _, s := range f.Synonyms {
		add(wire.KindSynonyms, s.Name, wire.SynonymGroup{Words: s.Words, Language: cmp.Or(s.Language, "en")})
	}
	return all
}

func (r *Ranking) wire(engine int64) wire.Ranking {
	w := wire.Ranking{Name: r.Name, WebsiteID: engine, Pages: []wire.RankedPage{}, RankingTerms: terms(r.Terms)}
	for i, p := range r.Pages {
		w.Pages = append(w.Pages, wire.RankedPage{
			Rank: cmp.Or(p.Rank, i+1), ShowPage: !p.Hide, WebsiteID: engine,
			Page: wire.Page{Name: cmp.Or(p.Title, p.URL), PageID: p.URL, PageURL: p.URL, Searchable: true, WebsiteID: engine},
		})
	}
	return w
}

func terms(names []string) []wire.Term {
	all := make([]wire.Term, len(names))
	for i, name := range names {
		all[i].Name = name
	}
	return all
}

// instant returns a time as the service takes it, RFC 3339 in UTC; empty for none.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// encode returns v as JSON that leaves markup as it is. The types of wire can't fail.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimSpace(b.Bytes())
}

// over returns body laid over the service's JSON of a tool, as it is sent in its place:
// without what only answers hold; what no declaration knows keeps its bytes.
func over(kind wire.Kind, base, body []byte) []byte {
	o, err := wire.ParseObject(base)
	if err != nil {
		return body
	}
	set, _ := wire.ParseObject(body)
	for _, key := range append(kind.ResponseOnly(), managed(kind)...) {
		if _, declared := set.Get(key); !declared {
			o.Drop(key)
		}
	}
	return merge(o.Bytes(), body)
}

// managed returns the keys of a kind that a declaration gives or takes away.
func managed(kind wire.Kind) []string {
	if kind == wire.KindBanner {
		return []string{"bannerterms", "from", "to"}
	}
	return nil
}

// merge returns next with the keys of base that it lacks; entries of lists are those
// that name the same.
func merge(base, next json.RawMessage) json.RawMessage {
	if olds, news := elements(base), elements(next); news != nil {
		merged := make([][]byte, len(news))
		for i, entry := range news {
			merged[i] = entry
			for _, old := range olds {
				if identity(entry) != "" && identity(entry) == identity(old) {
					merged[i] = merge(old, entry)
				}
			}
		}
		return slices.Concat([]byte("["), bytes.Join(merged, []byte(",")), []byte("]"))
	}
	old, err := wire.ParseObject(base)
	var set map[string]json.RawMessage
	if err != nil || json.Unmarshal(next, &set) != nil || set == nil {
		return next
	}
	for _, key := range slices.Sorted(maps.Keys(set)) {
		if was, there := old.Get(key); !there {
			old.Set(key, set[key])
		} else if !isTheirs(key) {
			old.Set(key, merge(was, set[key]))
		}
	}
	return old.Bytes()
}

// isTheirs reports whether a key of a ranked page stays as the service has it.
func isTheirs(key string) bool { return key == "pageid" || key == "searchable" }

func elements(raw []byte) (list []json.RawMessage) {
	_ = json.Unmarshal(raw, &list)
	return list
}

// identity tells entries of one list apart: a term's name, a ranked page's address.
func identity(raw json.RawMessage) string {
	var entry struct {
		Name string
		Page struct{ PageURL string }
	}
	_ = json.Unmarshal(raw, &entry) // a word of synonyms is none
	return cmp.Or(entry.Page.PageURL, entry.Name)
}

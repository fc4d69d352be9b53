package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// Declared is a search tool that a file declares. Body is the JSON to create it.
type Declared struct {
	Kind wire.Kind
	Name string
	Body []byte
}

// Declared returns the search tools of f for one engine, by kind in the order of the service's specification.
func (f *File) Declared(engine int64) (all []Declared) {
	add := func(kind wire.Kind, name string, body any) {
		all = append(all, Declared{kind, name, document.Encode(body)})
	}
	for _, r := range f.Rankings {
		w := wire.Ranking{Name: r.Name, WebsiteID: engine, Pages: []wire.RankedPage{}, RankingTerms: terms(r.Terms)}
		for i, p := range r.Pages {
			w.Pages = append(w.Pages, wire.RankedPage{
				Rank: cmp.Or(p.Rank, i+1), ShowPage: !p.Hide, WebsiteID: engine,
				Page: wire.Page{
					Name: cmp.Or(p.Title, p.URL), PageID: cmp.Or(p.ID, p.URL), PageURL: p.URL,
					Searchable: true, WebsiteID: engine,
				},
			})
		}
		add(wire.KindRanking, r.Name, w)
	}
	for _, q := range f.Quicklinks {
		add(wire.KindQuicklink, q.Name, wire.Quicklink{URL: q.URL, WebsiteID: engine, Terms: terms(q.Terms)})
	}
	for _, b := range f.Banners {
		add(wire.KindBanner, b.Name, wire.Banner{
			Name: b.Name, HTMLCode: b.HTML, WebsiteID: engine, BannerTerms: terms(b.Terms),
			IsDisabled: b.Disabled, From: instant(b.From), To: instant(b.To),
		})
	}
	for _, s := range f.Synonyms {
		add(wire.KindSynonyms, s.Name, wire.SynonymGroup{Words: s.Words, Language: cmp.Or(s.Language, "en")})
	}
	return all
}

func terms(names []string) []wire.Term {
	all := make([]wire.Term, len(names))
	for i, name := range names {
		all[i].Name = name
	}
	return all
}

func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// over returns the JSON to send when the declared body replaces base, the service's version of a tool. Keys
// that only base has are kept. But the service's own keys, such as an ID, are kept only if body has them.
func over(kind wire.Kind, base, body []byte) []byte {
	o, err := wire.ParseObject(base)
	if err != nil {
		return body
	}
	set, _ := wire.ParseObject(body)
	keys := kind.ResponseOnly()
	if kind == wire.KindBanner {
		keys = append(keys, "bannerterms", "from", "to") // a banner loses these if the file omits them
	}
	for _, key := range keys {
		if _, declared := set.Get(key); !declared {
			o.Drop(key)
		}
	}
	return merge(o.Bytes(), body)
}

// merge adds to next the keys that only base has. In lists, it merges an entry of base into the entry of next
// with the same URL or name (see identity).
func merge(base, next json.RawMessage) json.RawMessage {
	if olds, news := decode[[]json.RawMessage](base), decode[[]json.RawMessage](next); news != nil {
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
		} else if key != "searchable" && (key != "pageid" || !bytes.Equal(set[key], set["pageurl"])) {
			// searchable and pageid of a ranked page keep their values, unless the file declares another ID
			old.Set(key, merge(was, set[key]))
		}
	}
	return old.Bytes()
}

// identity returns the name that identifies an entry of a list: a ranked page's URL or a term.
func identity(raw json.RawMessage) string {
	entry := decode[struct { // a synonym is a plain string and has no identity
		Name string
		Page struct{ PageURL string }
	}](raw)
	return cmp.Or(entry.Page.PageURL, entry.Name)
}

// Field is one property of a search tool, as text for people.
type Field struct{ Name, Value string }

// Change is a property with two different values. From or To is empty if there is no value.
type Change struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// view returns the properties of a tool that a file can declare. Values with the same meaning become equal:
// the order of terms and the time zone do not matter.
func view(kind wire.Kind, raw []byte) []Field {
	switch kind {
	case wire.KindRanking:
		r := decode[wire.Ranking](raw)
		fields := []Field{{"name", r.Name}, engineOf(r.WebsiteID), termsOf(r.RankingTerms)}
		times := map[string]int{}
		for _, p := range r.Pages {
			shown := map[bool]string{true: "shown", false: "hidden"}[p.ShowPage]
			name := "page " + p.Page.PageURL
			times[name]++
			if times[name] > 1 {
				name = fmt.Sprintf("%s (%d)", name, times[name])
			}
			what := fmt.Sprintf("%s at %d as %q", shown, p.Rank, p.Page.Name)
			if id := p.Page.PageID; id != "" && id != p.Page.PageURL {
				what += " by the ID " + id
			}
			fields = append(fields, Field{name, what})
		}
		return fields
	case wire.KindQuicklink:
		q := decode[wire.Quicklink](raw)
		return []Field{{"url", q.URL}, engineOf(q.WebsiteID), termsOf(q.Terms)}
	case wire.KindBanner:
		b := decode[wire.Banner](raw)
		return []Field{
			{"name", b.Name}, engineOf(b.WebsiteID), {"html", b.HTMLCode}, termsOf(b.BannerTerms),
			{"from", plainTime(b.From)}, {"to", plainTime(b.To)}, {"disabled", strconv.FormatBool(b.IsDisabled)},
		}
	}
	s := decode[wire.SynonymGroup](raw)
	return []Field{{"words", listed(s.Words)}, {"language", s.Language}}
}

// decode ignores values of the wrong type.
func decode[T any](raw []byte) (v T) {
	_ = json.Unmarshal(raw, &v)
	return v
}

func engineOf(id int64) Field { return Field{"engine", strconv.FormatInt(id, 10)} }

func termsOf(terms []wire.Term) Field { return Field{"terms", listed(names(terms))} }

func listed(words []string) string {
	words = slices.Sorted(slices.Values(words))
	for i, word := range words {
		if strings.ContainsAny(word, `,"`) {
			words[i] = strconv.Quote(word)
		}
	}
	return strings.Join(words, ", ")
}

// plainTime returns a time in RFC 3339 and UTC, and other text unchanged. A time without a zone is in UTC.
func plainTime(s string) string {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return instant(t)
		}
	}
	return s
}

func differences(a, b []Field) (all []Change) {
	for _, f := range b {
		if was := valueOf(a, f.Name); was != f.Value {
			all = append(all, Change{f.Name, was, f.Value})
		}
	}
	for _, f := range a {
		if f.Value != "" && !slices.ContainsFunc(b, func(in Field) bool { return in.Name == f.Name }) {
			all = append(all, Change{Name: f.Name, From: f.Value})
		}
	}
	return all
}

func valueOf(fields []Field, name string) string {
	i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
	if i < 0 {
		return ""
	}
	return fields[i].Value
}

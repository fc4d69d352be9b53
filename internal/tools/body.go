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
		w := wire.Ranking{Name: r.Name, WebsiteID: engine, Pages: []wire.RankedPage{}, RankingTerms: terms(r.Terms)}
		for i, p := range r.Pages {
			w.Pages = append(w.Pages, wire.RankedPage{
				Rank: cmp.Or(p.Rank, i+1), ShowPage: !p.Hide, WebsiteID: engine,
				Page: wire.Page{Name: cmp.Or(p.Title, p.URL), PageID: cmp.Or(p.ID, p.URL), PageURL: p.URL, Searchable: true, WebsiteID: engine},
			})
		}
		add(wire.KindRanking, r.Name, w)
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
	keys := kind.ResponseOnly()
	if kind == wire.KindBanner {
		keys = append(keys, "bannerterms", "from", "to") // a declaration gives these, or takes them away
	}
	for _, key := range keys {
		if _, declared := set.Get(key); !declared {
			o.Drop(key)
		}
	}
	return merge(o.Bytes(), body)
}

// merge returns next with the keys of base that it lacks; entries of lists are those
// that name the same.
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
			// of a ranked page these stay, where no other ID is declared
			old.Set(key, merge(was, set[key]))
		}
	}
	return old.Bytes()
}

// identity tells entries of one list apart: a term's name, a ranked page's address.
func identity(raw json.RawMessage) string {
	entry := decode[struct { // a word of synonyms has no ID
		Name string
		Page struct{ PageURL string }
	}](raw)
	return cmp.Or(entry.Page.PageURL, entry.Name)
}

// Field is one property of a search tool in words.
type Field struct{ Name, Value string }

// Change is how one property of a search tool differs; empty: it has none.
type Change struct {
	Name string `json:"name"`
	From string `json:"from"`
	To   string `json:"to"`
}

// view returns what can be declared of a tool, as its JSON says it in whatever case.
// What another service writes differently and means the same is equal: the order of
// terms, the zone of a time.
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

// decode reads what it can: a key of an unexpected type is left out.
func decode[T any](raw []byte) (v T) {
	_ = json.Unmarshal(raw, &v)
	return v
}

func engineOf(id int64) Field { return Field{"engine", strconv.FormatInt(id, 10)} }

func termsOf(terms []wire.Term) Field { return Field{"terms", listed(names(terms))} }

// listed returns words in one line; one with a comma is quoted, so that it is not two.
func listed(words []string) string {
	words = slices.Sorted(slices.Values(words))
	for i, word := range words {
		if strings.ContainsAny(word, `,"`) {
			words[i] = strconv.Quote(word)
		}
	}
	return strings.Join(words, ", ")
}

// plainTime returns a time in one form; one without a zone is taken as UTC.
func plainTime(s string) string {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return instant(t)
		}
	}
	return s
}

// differences returns how b differs from a, in the order of b, then what a alone has.
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

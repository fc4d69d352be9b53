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
		for _, p := range r.Pages {
			shown := map[bool]string{true: "shown", false: "hidden"}[p.ShowPage]
			name := "page " + p.Page.PageURL
			for n := 2; has(fields, name); n++ {
				name = fmt.Sprintf("page %s (%d)", p.Page.PageURL, n)
			}
			fields = append(fields, Field{name, fmt.Sprintf("%s at %d as %q", shown, p.Rank, p.Page.Name)})
		}
		return fields
	case wire.KindQuicklink:
		q := decode[wire.Quicklink](raw)
		return []Field{{"url", q.URL}, engineOf(q.WebsiteID), termsOf(q.Terms)}
	case wire.KindBanner:
		b := decode[wire.Banner](raw)
		return []Field{{"name", b.Name}, engineOf(b.WebsiteID), {"html", b.HTMLCode}, termsOf(b.BannerTerms), {"from", plainTime(b.From)}, {"to", plainTime(b.To)}, {"disabled", strconv.FormatBool(b.IsDisabled)}}
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

func termsOf(terms []wire.Term) Field {
	var names []string
	for _, t := range terms {
		names = append(names, t.Name)
	}
	return Field{"terms", listed(names)}
}

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
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t, err = time.Parse("2006-01-02T15:04:05", s)
	}
	if err != nil {
		return s
	}
	return instant(t)
}

// differences returns how b differs from a, in the order of b, then what a alone has.
func differences(a, b []Field) (all []Change) {
	for _, f := range b {
		if was := valueOf(a, f.Name); was != f.Value {
			all = append(all, Change{f.Name, was, f.Value})
		}
	}
	for _, f := range a {
		if f.Value != "" && !has(b, f.Name) {
			all = append(all, Change{Name: f.Name, From: f.Value})
		}
	}
	return all
}

func has(fields []Field, name string) bool {
	return slices.ContainsFunc(fields, func(f Field) bool { return f.Name == name })
}

func valueOf(fields []Field, name string) string {
	for _, f := range fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// idOf returns the ID that the service gave a tool, be it a number or a text; 0 when its
// JSON holds none.
func idOf(raw []byte) int64 {
	var answer struct{ ID, GroupID json.Number }
	_ = json.Unmarshal(raw, &answer)
	id, _ := answer.ID.Int64()
	group, _ := answer.GroupID.Int64()
	return max(id, group)
}

package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"sitesync/internal/wire"
)

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

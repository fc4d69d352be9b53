package search

import (
	"cmp"
	"encoding/json"
	"flag"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/service/search/words"
)

var relevance = flag.String("relevance", "", "a collection of documents, queries and relevance labels, as JSON")

// A collection is what -relevance names: documents as title and text, queries, and how
// relevant which document is for a query.
type collection struct {
	Docs     map[string][2]string          `json:"docs"`
	Queries  map[string]string             `json:"queries"`
	Relevant map[string]map[string]float64 `json:"relevant"`
}

// BenchmarkRelevance measures ranking beside plain BM25, and what typing errors cost.
//
//	xz -dc cranfield.json.xz > cranfield.json
//	go test ./internal/service/search -run '^$' -bench Relevance -benchtime 1x -relevance cranfield.json
func BenchmarkRelevance(b *testing.B) {
	if *relevance == "" {
		b.Skip("-relevance names no collection")
	}
	raw, err := os.ReadFile(*relevance)
	if err != nil {
		b.Fatal(err)
	}
	var c collection
	if err := json.Unmarshal(raw, &c); err != nil {
		b.Fatal(err)
	}
	x := c.index(b)
	plain := newPlain(c)
	for b.Loop() {
		ours, theirs, queries := 0.0, 0.0, 0.0
		for id, labels := range c.Relevant {
			queries++
			ours += ndcg(found(b, x, Query{Text: c.Queries[id], Size: 10}), labels)
			theirs += ndcg(plain.search(c.Queries[id]), labels)
		}
		b.ReportMetric(ours/queries, "nDCG@10")
		b.ReportMetric(theirs/queries, "plain-nDCG@10")
		c.knownItems(b, x)
	}
}

func (c collection) index(b *testing.B) *Index {
	x, err := Create(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = x.Close() })
	var docs []Document
	for id, d := range c.Docs {
		text := d[1]
		docs = append(docs, Document{Key: Key{"c", id}, Language: "en", Fields: map[string][]string{"Title": {d[0]}, "Content": {text}}})
	}
	if err := x.Write(b.Context(), docs, nil, "m"); err != nil {
		b.Fatal(err)
	}
	return x
}

func found(b *testing.B, x *Index, q Query) (ids []string) {
	result, err := x.Search(b.Context(), q)
	if err != nil {
		b.Fatal(err)
	}
	for _, hit := range result.Hits {
		ids = append(ids, hit.ID)
	}
	return ids
}

// ndcg is the normalised discounted cumulative gain of the first ten (Järvelin and
// Kekäläinen, 2002). A document is relevant or it is not: what grades mean differs from
// collection to collection.
func ndcg(ids []string, labels map[string]float64) float64 {
	gain, ideal := 0.0, 0.0
	for i := range 10 {
		if i < len(ids) && labels[ids[i]] > 0 {
			gain += 1 / math.Log2(float64(i)+2)
		}
		if i < len(labels) {
			ideal += 1 / math.Log2(float64(i)+2)
		}
	}
	return gain / cmp.Or(ideal, 1)
}

// knownItems asks for a document by two or three words of its title that follow each other,
// as they are, with a typing error, and, cut short, for completions.
func (c collection) knownItems(b *testing.B, x *Index) {
	r := rand.New(rand.NewPCG(1, 2))
	var asked, mrr, typos, completed, prefix float64
	reader := words.NewReader()
	for _, id := range slices.Sorted(maps.Keys(c.Docs)) {
		var title []string
		for _, word := range firstWords(words.Lower(c.Docs[id][0]), 100) {
			if _, stop := reader.Terms("en", word); !stop && len(word) > 3 && !slices.Contains(title, word) {
				title = append(title, word)
			}
		}
		if len(title) < 3 {
			continue
		}
		asked++
		at := r.IntN(len(title) - 2)
		title = title[at : at+3]
		if rank := slices.Index(found(b, x, Query{Text: strings.Join(title[:2+r.IntN(2)], " "), Size: 100}), id); rank >= 0 {
			mrr += 1 / float64(rank+1)
		}
		two := slices.Clone(title[:2])
		wrong := r.IntN(2)
		exact := slices.Index(found(b, x, Query{Text: strings.Join(two, " "), Size: 10}), id) >= 0
		two[wrong] = mistyped(r, two[wrong])
		hit := slices.Index(found(b, x, Query{Text: strings.Join(two, " "), Size: 10}), id) >= 0
		if !exact {
			continue
		}
		prefix++
		if hit {
			typos++
		} else if os.Getenv("SHOW") != "" {
			b.Log(title[:2], two)
		}
		two[1] = two[1][:max(3, len(two[1])-2)]
		done, err := x.Complete(b.Context(), Query{Text: strings.Join(two, " "), Size: 10}, 5)
		if err != nil {
			b.Fatal(err)
		}
		if slices.ContainsFunc(done.Hits, func(k Key) bool { return k.ID == id }) {
			completed++
		}
	}
	b.ReportMetric(mrr/asked, "MRR")
	b.ReportMetric(100*typos/prefix, "typos-%")
	b.ReportMetric(100*completed/prefix, "completed-%")
}

// mistyped returns a word with one error: a letter too few, too many, another, or two
// swapped.
func mistyped(r *rand.Rand, word string) string {
	at, letter := r.IntN(len(word)-1), string(rune('a'+r.IntN(26)))
	switch r.IntN(4) {
	case 0:
		return word[:at] + word[at+1:]
	case 1:
		return word[:at] + letter + word[at:]
	case 2:
		return word[:at] + letter + word[at+1:]
	}
	return word[:at] + word[at+1:at+2] + word[at:at+1] + word[at+2:]
}

// plain is BM25 by the book (k1 1.2, b 0.75) over the stems of title and text.
type plain struct {
	reader *words.Reader
	rows   map[string]map[string]float64 // how often a document has a stem
	length map[string]float64
	mean   float64
}

func newPlain(c collection) *plain {
	p := &plain{reader: words.NewReader(), rows: map[string]map[string]float64{}, length: map[string]float64{}}
	for id, d := range c.Docs {
		for _, term := range p.terms(d[0] + " " + d[1]) {
			if p.rows[term] == nil {
				p.rows[term] = map[string]float64{}
			}
			p.rows[term][id]++
			p.length[id]++
			p.mean += 1 / float64(len(c.Docs))
		}
	}
	return p
}

func (p *plain) terms(text string) (all []string) {
	for _, word := range firstWords(words.Lower(text), math.MaxInt) {
		if terms, stop := p.reader.Terms("en", word); !stop {
			all = append(all, terms...)
		}
	}
	return all
}

func (p *plain) search(query string) []string {
	scores, n := map[string]float64{}, float64(len(p.length))
	for _, term := range p.terms(query) {
		df := float64(len(p.rows[term]))
		for id, tf := range p.rows[term] {
			scores[id] += math.Log(1+(n-df+0.5)/(df+0.5)) * tf * 2.2 / (tf + 1.2*(0.25+0.75*p.length[id]/p.mean))
		}
	}
	return slices.SortedFunc(maps.Keys(scores), func(a, b string) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
}

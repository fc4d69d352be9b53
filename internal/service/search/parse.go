package search

import (
	"regexp"
	"slices"
	"strings"

	"sitesync/internal/service/words"
)

// maxQueryWords limits the words of a query; further words are ignored.
const maxQueryWords = 120

// columns are the columns of the full-text index that hold a single field.
var columns = []string{"title", "description", "content"}

// A clause is one word, phrase or parenthesised group of a query.
type clause struct {
	words  []string // lower case; several words are a phrase, or one word written with hyphens or spaces
	phrase bool     // the words must follow each other
	begin  bool     // the word is a prefix, as in begin*
	column string   // the only column of the index to search; "": all
	group  []clause // the clauses inside parentheses

	must, not bool
	or        bool     // optional, even if the query requires all words
	near      []string // alternatives: completions, corrections, joined words
	meant     string   // the most likely correction; "" if a document contains the word
}

// A parser reads a query as people type it: words, "phrases", +must, -not, AND, OR, NOT, parentheses,
// begin*, and title: before a word.
type parser struct {
	parts []string // the parts that are not parsed yet
	left  int      // how many more words may be read
	notes []string
}

const quotes = "\"“”„«»"

// parts matches one part of a query text. A part is a sign with the spaces after it, a parenthesis, a
// phrase, an unclosed quote, groups of digits that form one number, or any other text without spaces.
var parts = regexp.MustCompile(`[+-]\s*|[()]|[` + quotes + `]+(?:[^` + quotes + `]+[` + quotes + `]+)?|` +
	`[0-9]{1,4}(?:[ \x{a0}\x{202f}][0-9]{1,4})+(?:\s|$)|[^\s()` + quotes + `]+`)

func parse(text string) *parser {
	return &parser{parts: parts.FindAllString(text, -1), left: maxQueryWords}
}

// clauses parses until the parenthesis that closes a group, or to the end.
func (p *parser) clauses(depth int) (all []clause) {
	var next clause // carries the signs and operators for the next clause
	last := 0       // index of the first clause of the last part
	for len(p.parts) > 0 {
		part := p.parts[0]
		p.parts = p.parts[1:]
		var found []clause
		switch {
		case part == ")" && depth > 0:
			return all
		case part == "(" && depth < 10:
			if group := p.clauses(depth + 1); group != nil {
				found = []clause{{group: group}}
			}
		case strings.ContainsAny(part, quotes):
			found = p.phrase(part)
		case part == "AND" || part == "OR" || part == "NOT" || strings.ContainsAny(part[:1], "+-"):
			operator(part, all[last:], &next)
			continue
		default:
			if name, rest, cut := strings.Cut(part, ":"); cut && slices.Contains(columns, strings.ToLower(name)) {
				next.column, part = strings.ToLower(name), rest
			}
			if part == "" {
				continue // as in "title: word": the column applies to the next part
			}
			found = p.word(part, next)
		}
		for i := range found {
			found[i].must, found[i].not = next.must || found[i].must && !next.or, next.not
			found[i].or, found[i].column = next.or, next.column
		}
		last = len(all)
		all, next = append(all, found...), clause{}
	}
	return all
}

// operator applies an operator to the clauses of the previous part and to the next one. A sign followed by
// a space has no effect.
func operator(part string, last []clause, next *clause) {
	switch part {
	case "+":
		next.must = true
	case "-", "NOT":
		next.not = true
	case "AND", "OR":
		next.must, next.or = part == "AND", part == "OR"
		for i := range last {
			last[i].must, last[i].or = next.must, next.or
		}
	}
}

func (p *parser) word(part string, next clause) []clause {
	if at := strings.IndexAny(part, "^~"); at > 0 && strings.Trim(part[at:], "^~.0123456789") == "" {
		p.notes = append(p.notes, "^ and ~ make no difference: "+part)
		part = part[:at]
	}
	all := p.runs(part)
	last := len(all) - 1
	if last >= 0 && strings.HasSuffix(part, "*") {
		all[last].begin = true
	}
	if next.not && last > 0 {
		return p.phrase(part)
	}
	return all
}

// phrase returns a clause whose words must follow each other.
func (p *parser) phrase(text string) []clause {
	whole := clause{phrase: true, must: true}
	for _, c := range p.runs(text) {
		whole.words = append(whole.words, c.words...)
	}
	return []clause{whole}
}

// runs returns one clause per word of a text. Words that may be joined to one word share a clause.
func (p *parser) runs(text string) (all []clause) {
	for run := range words.Runs(words.Lower(text)) {
		if p.left -= len(run); p.left < 0 {
			break
		}
		c := clause{words: run}
		if len(run) > 1 {
			c.near = []string{strings.Join(run, "")}
		}
		all = append(all, c)
	}
	return all
}

// single returns all single-word clauses, also from groups: no phrases and no negated clauses.
func single(all []clause) (found []*clause) {
	for i := range all {
		if c := &all[i]; c.group != nil {
			found = append(found, single(c.group)...)
		} else if !c.phrase && !c.not {
			found = append(found, c)
		}
	}
	return found
}

// typed returns the words of the clauses from single, with corrected words replaced by their correction.
func typed(all []clause) (found []string) {
	for _, c := range single(all) {
		if c.meant != "" {
			found = append(found, c.meant)
		} else {
			found = append(found, c.words...)
		}
	}
	return found
}

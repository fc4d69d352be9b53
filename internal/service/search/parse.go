package search

import (
	"regexp"
	"slices"
	"strings"

	"sitesync/internal/service/words"
)

// maxQueryWords is how many words of a text are searched for.
const maxQueryWords = 120

// columns are those of the index that hold one field each.
var columns = []string{"title", "description", "content"}

// A clause is a word of a query, or the part of it in quotes or parentheses.
type clause struct {
	words  []string // in lower case; several are a phrase, or may be written as one word
	phrase bool     // the words must follow each other as typed
	begin  bool     // the word is the beginning of one
	column string   // of the index: the only one to look in
	group  []clause // in parentheses

	must, not bool
	or        bool     // it need not be there, even where all words must
	near      []string // other texts that may be meant
	meant     string   // the likeliest of them, where no document has the word
}

// A parser reads a text as people type it: words, "phrases", +must, -not, AND, OR, NOT,
// parentheses, begin*, and title: before a word.
type parser struct {
	parts []string // not read yet
	left  int      // how many more words are read
	notes []string
}

const quotes = "\"“”„«»"

// parts matches the parts of a text: a sign, with the spaces behind it; a parenthesis; a phrase, or
// quotes that nobody closed; groups of digits that may be written as one; anything else without spaces.
var parts = regexp.MustCompile(`[+-]\s*|[()]|[` + quotes + `]+(?:[^` + quotes + `]+[` + quotes + `]+)?|` +
	`[0-9]{1,4}(?:[ \x{a0}\x{202f}][0-9]{1,4})+(?:\s|$)|[^\s()` + quotes + `]+`)

func parse(text string) *parser {
	return &parser{parts: parts.FindAllString(text, -1), left: maxQueryWords}
}

// clauses reads as far as the parenthesis that ends a group, or to the end.
func (p *parser) clauses(depth int) (all []clause) {
	var next clause // holds the signs and operators of the next one
	last := 0       // where the clauses of the last part begin
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
				continue // the column is that of the next part
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

// operator applies an operator to the clauses of the last part, and to the next one. A sign before
// a space changes nothing.
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

// word reads a part of a text without spaces.
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

// phrase returns the clause of words that must be there, one behind the other.
func (p *parser) phrase(text string) []clause {
	whole := clause{phrase: true, must: true}
	for _, c := range p.runs(text) {
		whole.words = append(whole.words, c.words...)
	}
	return []clause{whole}
}

// runs returns the words of a text. Those that may be written as one share a clause.
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

// single returns the clauses that documents are found by, in parentheses or not: no phrases, and
// none that must not be there.
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

// typed returns the words of those clauses, and in place of each the words that are meant.
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

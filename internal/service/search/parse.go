package search

import (
	"regexp"
	"slices"
	"strings"

	"sitesync/internal/service/words"
)

var columns = []string{"title", "description", "content"}

// A clause is one word, phrase or parenthesised group of a query.
type clause struct {
	words  []string // lower case; several for a phrase, a synonym, or a word with a hyphen
	phrase bool
	prefix bool
	column string // the only column of the index to search; "": all
	group  []clause

	must, not bool
	or        bool     // OR joins the clause to another one, so documents need not contain it
	near      []string // FTS5 expressions that may match instead: synonyms, corrections, completions
	meant     string   // the most likely correction of the word; may be ""
}

// A parser reads a query as people type it: words, "phrases", +must, -not, AND, OR, NOT, parentheses,
// begin*, and a field's name before a word, as in title:word.
type parser struct {
	unparsed  []string
	wordsLeft int
	isField   func(name string) bool // reports whether documents have a field of this name
	fields    []Condition            // conditions from words such as Colour:red
	notes     []string
}

const quotes = "\"“”„«»"

// parts matches one part of a query text. A sign (+ or -) with the spaces after it is one part. So is a
// parenthesis, a phrase, a lone quote, a number such as 10 000, and any other text without spaces.
var parts = regexp.MustCompile(`[+-]\s*|[()]|[` + quotes + `]+(?:[^` + quotes + `]+[` + quotes + `]+)?|` +
	`[0-9]{1,4}(?:[ \x{a0}\x{202f}][0-9]{1,4})+(?:\s|$)|[^\s()` + quotes + `]+`)

// clauses parses up to the parenthesis that closes the group, or to the end of the query. A sign with a space
// after it has no effect.
func (p *parser) clauses(depth int) (all []clause) {
	var next clause // the signs, operators and column that were read for the next clause
	previous := 0   // all[previous:] are the clauses of the previous part
	for len(p.unparsed) > 0 {
		part := p.unparsed[0]
		p.unparsed = p.unparsed[1:]
		var found []clause
		switch part {
		case "+":
			next.must = true
		case "-", "NOT":
			next.not = true
		case "AND", "OR":
			next.must, next.or = part == "AND", part == "OR"
			for i := previous; i < len(all); i++ {
				all[i].must, all[i].or = next.must, next.or
			}
		case ")":
			if depth > 0 {
				return all
			}
		case "(":
			if depth == 10 {
				continue
			}
			if group := p.clauses(depth + 1); len(group) > 0 {
				found = []clause{{group: group}}
			}
		default:
			found = p.clausesOf(part, &next)
		}
		if len(found) == 0 {
			continue
		}
		for i := range found {
			found[i].must, found[i].not = next.must || found[i].phrase && !next.or, next.not
			found[i].or, found[i].column = next.or, next.column
		}
		previous = len(all)
		all, next = append(all, found...), clause{}
	}
	return all
}

// clausesOf returns the clauses of a part: one for a phrase, otherwise one for each word.
func (p *parser) clausesOf(part string, next *clause) (all []clause) {
	quoted := strings.ContainsAny(part, quotes)
	if name, rest, cut := strings.Cut(part, ":"); cut && !quoted {
		if slices.Contains(columns, strings.ToLower(name)) {
			next.column, part = strings.ToLower(name), rest
		} else if p.isField(name) {
			next.column, part = name, rest
		}
	}
	if at := strings.IndexAny(part, "^~"); at > 0 && !quoted && strings.Trim(part[at:], "^~.0123456789") == "" {
		p.notes = append(p.notes, "^ and ~ make no difference: "+part)
		part = part[:at]
	}
	if part != "" && next.column != "" && !slices.Contains(columns, next.column) {
		text := map[bool]string{true: "NOT "}[next.not] + hasField + "instr(lower(value), lower(?)) > 0)"
		p.fields = append(p.fields, Condition{text, []any{next.column, strings.Trim(part, quotes)}})
		*next = clause{}
		return nil
	}
	whole := clause{phrase: true}
	for run := range words.Runs(words.Lower(part)) {
		if p.wordsLeft -= len(run); p.wordsLeft < 0 {
			break
		}
		all, whole.words = append(all, clause{words: run}), append(whole.words, run...)
	}
	if len(all) > 0 && (quoted || next.not && len(all) > 1) {
		return []clause{whole}
	}
	if last := len(all) - 1; last >= 0 {
		all[last].prefix = strings.HasSuffix(part, "*")
	}
	return all
}

// single returns the clauses that are neither phrases nor negated, including the clauses inside groups.
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

// typed returns the words of a query, corrected if possible, without its phrases and negated words.
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

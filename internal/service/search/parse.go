package search

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"sitesync/internal/service/words"
)

// maxQueryWords is how many words of a text are searched for.
const maxQueryWords = 120

// A clause is a word of a query, or what stands in quotes or parentheses.
type clause struct {
	words  []string // in lower case; several may be written as one, or are a phrase
	phrase bool     // they must stand one behind the other, as typed
	begin  bool     // the word is the beginning of one
	column string   // of the index, in which alone it is looked for
	group  []clause // in parentheses

	must, not bool
	or        bool                // it need not be there where all must
	near      map[string][]string // words that are meant, by language
}

// A parser reads a text as people type it: words, "phrases", +must, -not, AND, OR, NOT,
// parentheses, begin*, and title: before a word.
type parser struct {
	text  string
	left  int // words that are read yet
	notes []string
}

// groups are those of digits that may be written as one.
var groups = regexp.MustCompile(`^[0-9]{1,4}(?:[ \x{a0}\x{202f}][0-9]{1,4})+(?:\s|$)`)

const quotes = "\"“”„«»"

// clauses reads as far as the parenthesis that ends a group, or to the end.
func (p *parser) clauses(depth int) (all []clause) {
	var next clause // what signs and operators say of the next one
	last := 0       // where what was read last begins
	for {
		p.text = strings.TrimLeftFunc(p.text, unicode.IsSpace)
		var found []clause
		switch {
		case p.text == "":
			return all
		case p.text[0] == ')':
			p.text = p.text[1:]
			if depth > 0 {
				return all
			}
			continue
		case p.text[0] == '(' && depth < 10:
			p.text = p.text[1:]
			if group := p.clauses(depth + 1); group != nil {
				found = []clause{{group: group}}
			}
		case strings.ContainsAny(firstLetter(p.text), quotes):
			found = p.quoted(next)
		default:
			part := p.part()
			if slices.Contains([]string{"AND", "OR", "NOT", "+", "-", ":"}, part) {
				all = p.operator(part, all, last, &next)
				continue
			}
			found = p.word(part, &next)
			if found == nil && next.column != "" && strings.HasSuffix(part, ":") {
				continue // of what follows
			}
		}
		for i := range found {
			found[i].must, found[i].not = next.must || found[i].must && !next.or, next.not
			found[i].or, found[i].column = next.or, next.column
		}
		last = len(all)
		all, next = append(all, found...), clause{}
	}
}

func firstLetter(text string) string {
	for i := range text {
		if i > 0 {
			return text[:i]
		}
	}
	return text
}

// part returns the text up to the next space, quote or parenthesis; a sign before a word alone.
func (p *parser) part() string {
	if len(p.text) > 1 && strings.ContainsAny(p.text[:1], "+-") && !unicode.IsSpace(rune(p.text[1])) {
		sign := p.text[:1]
		p.text = p.text[1:]
		return sign
	}
	if end := len(strings.TrimSpace(groups.FindString(p.text))); end > 0 {
		part := p.text[:end]
		p.text = p.text[end:]
		return part
	}
	end := strings.IndexFunc(p.text[1:], func(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(quotes+"()", c) }) + 1
	if end == 0 {
		end = len(p.text)
	}
	part := p.text[:end]
	p.text = p.text[end:]
	return part
}

// operator takes down what an operator says of what was read last and of the next.
func (p *parser) operator(part string, all []clause, last int, next *clause) []clause {
	alone := p.text == "" || unicode.IsSpace(rune(p.text[0]))
	switch {
	case part == "+":
		next.must = !alone
	case part == "-":
		next.not = !alone
	case part == "NOT":
		next.not = true
	case part == "AND":
		next.must = true
	case part == "OR":
		next.or = true
	}
	if last < len(all) && all[last].phrase && part == "OR" {
		all = all[:last+1] // its words alone will not do
	}
	for i := last; i < len(all) && (part == "AND" || part == "OR"); i++ {
		all[i].must, all[i].or = part == "AND" && (i == last || !all[last].phrase), part == "OR"
	}
	return all
}

// quoted reads a phrase, which must be there, and its words, by which documents rank. Quotes
// that are not closed are still being typed.
func (p *parser) quoted(next clause) []clause {
	opened := strings.TrimLeft(p.text, quotes)
	end := strings.IndexAny(opened, quotes)
	if end < 0 {
		p.text = opened
		return nil
	}
	p.text = strings.TrimLeft(opened[end:], quotes)
	all := p.runs(opened[:end])
	if len(all) == 0 {
		return nil
	}
	phrase := clause{phrase: true, must: true}
	for _, c := range all {
		phrase.words = append(phrase.words, c.words...)
	}
	if next.not || next.or {
		return []clause{phrase}
	}
	return append([]clause{phrase}, all...)
}

// word reads a part of a text without spaces.
func (p *parser) word(part string, next *clause) []clause {
	if name, rest, cut := strings.Cut(part, ":"); cut && slices.Contains(columns, strings.ToLower(name)) {
		next.column, part = strings.ToLower(name), rest
	}
	plain := strings.TrimRight(part, "^~.0123456789")
	if at := strings.IndexAny(part, "^~"); at > 0 && at >= len(plain) {
		p.notes = append(p.notes, "what stands behind ^ and ~ makes no difference: "+part)
		part = plain
	}
	all := p.runs(part)
	last := len(all) - 1
	if last >= 0 && strings.HasSuffix(part, "*") {
		all[last].begin = true
	}
	if next.not && last > 0 { // it must not stand there as typed
		phrase := clause{phrase: true}
		for _, c := range all {
			phrase.words = append(phrase.words, c.words...)
		}
		return []clause{phrase}
	}
	return all
}

// runs returns the words of a text, those together that may be written as one.
func (p *parser) runs(text string) (all []clause) {
	for run := range words.Runs(words.Lower(text)) {
		if p.left -= len(run); p.left < 0 {
			break
		}
		all = append(all, clause{words: run})
	}
	return all
}

// each visits the words of a query, of those in parentheses too.
func each(all []clause, visit func(*clause)) {
	for i := range all {
		if c := &all[i]; c.group != nil {
			each(c.group, visit)
		} else if !c.phrase && !c.not {
			visit(c)
		}
	}
}

// typed returns the words themselves.
func typed(all []clause) (words []string) {
	each(all, func(c *clause) { words = append(words, c.words...) })
	return words
}

package template

import (
	"errors"
	"fmt"
	"strings"
)

// place is where in a page the next value stands.
type place struct {
	tag     bool   // inside of a tag
	head    bool   // inside of its name
	element string // that name
	word    string // what stands behind the last space of a tag: the name of an attribute
	open    string // the attribute whose value is open; empty: there is none
	begun   bool   // a part of that value is written
	query   bool   // it is an address up to its query or fragment
}

// pass goes on behind text of the template.
func (p *place) pass(text []byte) {
	for i, c := range text {
		switch {
		case !p.tag && p.program() && !endsElement(text[i:]): // "<" means less there
		case p.open != "" && c == '"':
			p.open, p.word = "", ""
		case p.open != "":
			p.begun, p.query = true, p.query || c == '?' || c == '#'
		case c == '<' && !p.tag:
			*p = place{tag: true, head: true}
		case c == '>':
			p.tag, p.head = false, false
		case !p.tag:
		case c == ' ' || c == '\n':
			p.head, p.word = false, ""
		case c == '"':
			p.open, p.begun, p.query = strings.ToLower(strings.TrimSuffix(p.word, "=")), false, false
		case p.head:
			p.element += strings.ToLower(string(c))
		default:
			p.word += string(c)
		}
	}
}

// program reports whether what stands between the tags is a script or a style.
func (p *place) program() bool { return p.element == "script" || p.element == "style" }

// endsElement reports whether text begins with the tag that ends an element.
func endsElement(text []byte) bool { return len(text) > 1 && text[0] == '<' && text[1] == '/' }

// marks has the characters that end a text or a value in double quotes.
var marks = strings.NewReplacer("\x00", "\ufffd", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;", "<", "&lt;", ">", "&gt;")

// escape returns a value as it is written in its place.
func (p *place) escape(v any) (string, error) {
	if raw, isRaw := v.(Raw); isRaw && !p.tag {
		return string(raw), nil
	}
	text := fmt.Sprint(v)
	is := func(part string) bool { return strings.Contains(p.open, part) }
	switch {
	case !p.tag && p.program():
		return "", fmt.Errorf("only text of the program itself stands in %s", p.element)
	case !p.tag:
	case p.open == "":
		return "", errors.New("a value in a tag stands in double quotes")
	case forbidden[p.open] || strings.HasPrefix(p.open, "on"):
		return "", fmt.Errorf("no value stands in %s", p.open)
	case is("href") || is("src") || is("action"):
		text = address(text, p.begun, p.query)
	}
	return marks.Replace(text), nil
}

// address returns an address, or a part of one: behind its begin, or in its query. What
// leads to a program, as "javascript:" does, leads nowhere.
func address(text string, begun, query bool) string {
	scheme, _, has := strings.Cut(text, ":")
	if has && !begun && !strings.Contains(scheme, "/") && !safe[strings.ToLower(scheme)] {
		return "#unsafe"
	}
	stays := "-._~"
	if !query {
		stays += "!#$&*+,/:;=?@[]"
	}
	var out strings.Builder
	for i := range len(text) {
		c := text[i]
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', strings.IndexByte(stays, c) >= 0, !query && c == '%' && isHex(text[i+1:]):
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, "%%%02x", c)
		}
	}
	return out.String()
}

// forbidden are attributes that hold a program, a page, or an address that nothing here checks.
var forbidden = map[string]bool{"style": true, "srcdoc": true, "data": true, "poster": true, "ping": true, "cite": true, "background": true, "manifest": true}

// safe are the schemes of addresses that pages lead to.
var safe = map[string]bool{"http": true, "https": true, "mailto": true}

// isHex reports whether text begins with two hexadecimal digits.
func isHex(text string) bool {
	return len(text) > 1 && strings.Trim(text[:2], "0123456789abcdefABCDEF") == ""
}

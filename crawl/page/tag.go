package page

import "bytes"

// readTag reads the start tag that text begins with, as the tokenizer does (HTML standard,
// sections 13.2.5.8 and 13.2.5.32 to 39). It returns its name, how many attributes it has and
// its length up to its end.
func readTag(text []byte) (name []byte, attributes, length int) {
	at := 0
	for at < len(text) && !isSpace(text[at]) && text[at] != '/' && text[at] != '>' {
		at++
	}
	name = text[:at]
	for {
		at = skipSpace(text, at)
		if at == len(text) || text[at] == '>' {
			return name, attributes, at
		}
		start := at
		for at < len(text) && !isSpace(text[at]) && text[at] != '/' && text[at] != '>' && (text[at] != '=' || at == start) {
			at++
		}
		if at > start {
			attributes++
		}
		at = skipSpace(text, at)
		switch {
		case at == len(text):
		case text[at] == '/':
			at++
		case text[at] == '=':
			at = skipValue(text, skipSpace(text, at+1))
		}
	}
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

// skipValue returns where the value of an attribute ends, which begins at at.
func skipValue(text []byte, at int) int {
	if at < len(text) && (text[at] == '"' || text[at] == '\'') {
		size := bytes.IndexByte(text[at+1:], text[at])
		if size < 0 {
			return len(text)
		}
		return at + 1 + size + 1
	}
	for at < len(text) && !isSpace(text[at]) && text[at] != '>' {
		at++
	}
	return at
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' && c != '\v' }

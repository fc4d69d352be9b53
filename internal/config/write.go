package config

import (
	"fmt"
	"strings"
	"unicode"
)

// maxComment bounds a comment, in characters.
const maxComment = 160

// Comment returns a comment of one line, with its end; what could end it early or disturb a
// terminal is written as an escape, and what is too long is cut.
func Comment(format string, args ...any) string {
	text := []rune(fmt.Sprintf(format, args...))
	if len(text) > maxComment {
		text = append(text[:maxComment-1], '…')
	}
	return strings.TrimRight("# "+escape(string(text), ""), " ") + "\n"
}

// Key returns the line of a key, with its end, whose value is a text or a list of texts. A value
// that holds "${" can't be written, for that begins the name of an environment variable: it is
// left out, and so is a line without any value. Names of keys are taken as they are.
func Key(name string, value any) string {
	var quoted []string
	values, list := value.([]string)
	if !list {
		values = []string{value.(string)}
	}
	for _, value := range values {
		if !strings.Contains(value, "${") {
			quoted = append(quoted, `"`+escape(value, `"\`)+`"`)
		}
	}
	switch {
	case len(quoted) == 0:
		return ""
	case list:
		return name + " = [" + strings.Join(quoted, ", ") + "]\n"
	}
	return name + " = " + quoted[0] + "\n"
}

// escape writes what is not printable, and the characters of more, as TOML does
// (version 1.0.0, "String").
func escape(s, more string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case strings.ContainsRune(more, r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r) && r != unicode.ReplacementChar:
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08X`, r)
		default:
			fmt.Fprintf(&b, `\u%04X`, r)
		}
	}
	return b.String()
}

package config

import (
	"fmt"
	"strings"
	"unicode"
)

const maxComment = 160

// Comment returns a TOML comment and a line break. It escapes line breaks and control characters, and cuts a
// text after maxComment characters.
func Comment(format string, args ...any) string {
	text := []rune(fmt.Sprintf(format, args...))
	if len(text) > maxComment {
		text = append(text[:maxComment-1], '…')
	}
	return strings.TrimRight("# "+escape(string(text), ""), " ") + "\n"
}

// Key returns a line of TOML that sets the key called name to value, a string or a []string. It leaves out
// strings with "${", which Load would replace. If no string remains, it returns "". name must be valid TOML.
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

// escape returns s with TOML escapes (version 1.0.0, section String) for characters that are not printable.
// It puts a backslash before each character that occurs in the parameter more.
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

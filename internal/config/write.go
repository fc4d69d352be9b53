package config

import (
	"fmt"
	"strings"
	"unicode"
)

// maxComment bounds a comment, in characters.
const maxComment = 160

// Writer writes a configuration file with comments. Whatever texts it is given, the
// file parses and says what was meant: values are quoted, and a comment ends with
// its line. Names of sections and keys are taken as they are.
type Writer struct{ text strings.Builder }

// String returns the file so far.
func (w *Writer) String() string { return w.text.String() }

// Section begins a section.
func (w *Writer) Section(name string) { fmt.Fprintf(&w.text, "\n[%s]\n", name) }

// Blank leaves a line empty.
func (w *Writer) Blank() { w.text.WriteByte('\n') }

// Comment writes one line; what could end it early or disturb a terminal is written
// as an escape, and what is too long is cut.
func (w *Writer) Comment(format string, args ...any) {
	text := []rune(fmt.Sprintf(format, args...))
	if len(text) > maxComment {
		text = append(text[:maxComment-1], '…')
	}
	w.text.WriteString(strings.TrimRight("# "+escape(string(text), ""), " ") + "\n")
}

// Key writes a key; values are the elements of its list, or the only value. A value
// that holds "${" can't be written, for that begins the name of an environment
// variable: it is left out.
func (w *Writer) Key(name string, list bool, values ...string) {
	w.text.WriteString(line(name, list, values))
}

// Suggest writes a key as a comment, for the owner to make live.
func (w *Writer) Suggest(name string, list bool, values ...string) {
	if text := line(name, list, values); text != "" {
		w.text.WriteString("# " + text)
	}
}

func line(name string, list bool, values []string) string {
	var quoted []string
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

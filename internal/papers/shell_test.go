package papers

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

// calls returns the commands of a script in their order, each as a shell would pass it on:
// without comments, redirections, variables that are set for it, and keywords. A command in
// $(...) stands before the one that uses it, and leaves "x" there.
func calls(script string) (all [][]string, err error) {
	s := &shell{rest: script}
	for s.rest != "" || s.has {
		if err := s.step(); err != nil {
			return all, err
		}
	}
	s.end()
	return s.all, nil
}

type shell struct {
	rest    string
	all     [][]string
	words   []string
	word    strings.Builder
	has     bool // the word was begun
	skip    bool // the next word is the target of a redirection
	heredoc string
}

var keywords = map[string]bool{"if": true, "then": true, "else": true, "fi": true, "for": true, "do": true, "done": true, "while": true, "{": true, "}": true, "!": true}

// endWord takes the word that was read.
func (s *shell) endWord() {
	if !s.has {
		return
	}
	word := s.word.String()
	s.word.Reset()
	s.has = false
	name, _, assigns := strings.Cut(word, "=")
	switch {
	case s.skip:
		s.skip = false
	case len(s.words) == 0 && (keywords[word] || assigns && !strings.ContainsAny(name, " -/")):
	default:
		s.words = append(s.words, word)
	}
}

// end takes the command that was read.
func (s *shell) end() {
	s.endWord()
	if len(s.words) > 0 {
		s.all = append(s.all, s.words)
	}
	s.words, s.skip = nil, false
}

// step reads the next character, or what begins with it.
func (s *shell) step() error {
	if s.rest == "" {
		s.end()
		return nil
	}
	c := s.rest[0]
	s.rest = s.rest[1:]
	switch {
	case c == '\'':
		text, rest, ok := strings.Cut(s.rest, "'")
		if !ok {
			return errors.New("a quotation mark is not closed")
		}
		s.word.WriteString(text)
		s.has, s.rest = true, rest
	case c == '"':
		return s.quoted()
	case c == '\\':
		if strings.HasPrefix(s.rest, "\n") {
			s.rest = s.rest[1:]
		} else if s.rest != "" {
			s.word.WriteByte(s.rest[0])
			s.has, s.rest = true, s.rest[1:]
		}
	case c == '#' && !s.has:
		_, s.rest, _ = strings.Cut(s.rest, "\n")
		s.end()
	case c == '$' && strings.HasPrefix(s.rest, "("):
		return s.nested()
	case c == ' ' || c == '\t':
		s.endWord()
	case c == '\n' || c == ';' || c == '|' || c == '(' || c == ')' || c == '&' && !strings.HasPrefix(s.rest, ">"):
		s.end()
		if c == '\n' && s.heredoc != "" {
			_, s.rest, _ = strings.Cut("\n"+s.rest, "\n"+s.heredoc+"\n")
			s.heredoc = ""
		}
	case c == '>' || c == '<' || c == '&':
		s.redirected()
	default:
		s.word.WriteByte(c)
		s.has = true
	}
	return nil
}

// redirected reads a redirection, whose descriptor was read as a word.
func (s *shell) redirected() {
	if word := s.word.String(); word == "1" || word == "2" {
		s.word.Reset()
		s.has = false
	}
	s.endWord()
	if mark, ok := strings.CutPrefix(s.rest, "<"); ok {
		mark, _, _ = strings.Cut(strings.TrimLeft(mark, "- "), "\n")
		s.heredoc = strings.Trim(strings.Fields(mark + " ")[0], `'"`)
	}
	s.rest = strings.TrimLeft(s.rest, "><&- ")
	s.skip = true
}

// quoted reads what stands between quotation marks that leave $ and \ their meaning.
func (s *shell) quoted() error {
	s.has = true
	for s.rest != "" {
		c := s.rest[0]
		s.rest = s.rest[1:]
		switch {
		case c == '"':
			return nil
		case c == '\\' && s.rest != "":
			s.word.WriteByte(s.rest[0])
			s.rest = s.rest[1:]
		case c == '$' && strings.HasPrefix(s.rest, "("):
			if err := s.nested(); err != nil {
				return err
			}
		default:
			s.word.WriteByte(c)
		}
	}
	return errors.New("a quotation mark is not closed")
}

// nested reads a command whose output becomes part of a word.
func (s *shell) nested() error {
	depth := 0
	for i, c := range s.rest {
		if c == '(' {
			depth++
		} else if c == ')' {
			depth--
		}
		if depth > 0 {
			continue
		}
		inner, err := calls(s.rest[1:i])
		s.all = append(s.all, inner...)
		s.word.WriteString("x")
		s.has, s.rest = true, s.rest[i+1:]
		return err
	}
	return errors.New("a $( is not closed")
}

// TestCalls: scripts are read as a shell reads them.
func TestCalls(t *testing.T) {
	for script, want := range map[string][][]string{
		"a b 'c d' \"e $f\" # g\nh":                         {{"a", "b", "c d", "e $f"}, {"h"}},
		"A=1 B=\"$(c d)\" e f >g 2>&1 | h && i; j &":        {{"c", "d"}, {"e", "f"}, {"h"}, {"i"}, {"j"}},
		"a \\\n  b\nif c; then d; fi":                       {{"a", "b"}, {"c"}, {"d"}},
		"cat <<'EOF' > f\nx = 'it\nEOF\nnext":               {{"cat"}, {"next"}},
		"a --b=c x#y":                                       {{"a", "--b=c", "x#y"}},
		"echo 'base_url = \"local\"' >> sitesync.toml && b": {{"echo", `base_url = "local"`}, {"b"}},
	} {
		if got, err := calls(script); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, %v; want %q", script, got, err, want)
		}
	}
	if _, err := calls("echo 'a"); err == nil {
		t.Error("an open quotation mark passes")
	}
}

package testsite

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Script runs one command line, for scripts that drive a site; the commands are
// in the package comment. It errs when the line is no command, a word is missing
// or no number, a page to change does not exist, or a count is wrong.
func (s *Site) Script(line string) error {
	return s.runOf(slices.Concat(pageCommands(), siteCommands(), lostCommands(), faultCommands()), line)
}

func (s *Site) runOf(commands []command, line string) error {
	name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	for _, c := range commands {
		form := strings.Fields(c.usage)
		if form[0] != name {
			continue
		}
		given := words(rest, len(form)-1)
		if len(given) > len(form)-1 || len(given) < len(form)-1-strings.Count(c.usage, "[") {
			return fmt.Errorf("run %q: the command is %q", line, c.usage)
		}
		given = append(given, make([]string, len(form)-1-len(given))...)
		if err := c.run(s, given); err != nil {
			return fmt.Errorf("run %q: %w", line, err)
		}
		return nil
	}
	return fmt.Errorf("run %q: there is no command %q", line, name)
}

// command is one command of Script. Its usage is the name and a word for each
// argument, the optional ones in brackets and last. The last takes all that is
// left of the line; an optional one not given is empty.
type command struct {
	usage string
	run   func(s *Site, words []string) error
}

// words splits a line at spaces into n words at most.
func words(line string, n int) []string {
	var all []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if len(all) == n-1 {
			return append(all, line)
		}
		word, rest, _ := strings.Cut(line, " ")
		all, line = append(all, word), rest
	}
	return all
}

func pageCommands() []command {
	return []command{
		{"set PATH TITLE|TEXT|LINKS|HEAD", do(func(s *Site, w []string) {
			parts := append(strings.SplitN(w[1], "|", 4), "", "", "")
			page := Markup{Title: parts[0], Main: "<p>" + parts[1] + "</p>", Links: strings.Fields(parts[2]), Head: parts[3]}
			s.Set(w[0], Page{Body: page.String()})
		})},
		{"raw PATH BODY", do(func(s *Site, w []string) { s.Set(w[0], Page{Body: unquote(w[1])}) })},
		{"pdf PATH TITLE|PAGES", do(func(s *Site, w []string) {
			parts := strings.Split(unquote(w[1]), "|")
			s.Set(w[0], Page{Body: PDF(parts[0], parts[1:]...)})
		})},
		{"series PATH N BEFORE|UNIT|AFTER", func(s *Site, w []string) error {
			n, err := number(w[1], "")
			if err == nil {
				s.Set(w[0], Page{Body: series(n, unquote(w[2]))})
			}
			return err
		}},
		{"edit PATH OLD|NEW", func(s *Site, w []string) error {
			old, text, _ := strings.Cut(w[1], "|")
			return s.Edit(w[0], old, text)
		}},
		{"remove PATH", func(s *Site, w []string) error {
			if !s.has(w[0]) {
				return fmt.Errorf("there is no page at %s", w[0])
			}
			s.Remove(w[0])
			return nil
		}},
		{"redirect FROM TO [STATUS]", func(s *Site, w []string) error {
			status, err := number(w[2], "301")
			if err == nil {
				s.Redirect(w[0], unquote(w[1]), status)
			}
			return err
		}},
	}
}

func siteCommands() []command {
	return []command{
		{"robots TEXT", do(func(s *Site, w []string) { s.Robots(unquote(w[0])) })},
		{"sitemap on|off", toggle((*Site).AutoSitemap)},
		{"soft404 on|off", toggle((*Site).Soft404)},
		{"validators on|off", toggle((*Site).Validators)},
		{"maintenance on|off", toggle(everywhere(Maintenance()))},
		{"login on|off", toggle(everywhere(LoginWall()))},
		{"botguard on|off", toggle(everywhere(BotGuard()))},
		{"calendar PATH [TEXT]", do(func(s *Site, w []string) { s.Calendar(w[0], w[1]) })},
		{"visit FORM", do(func(s *Site, w []string) { s.Visit(w[0]) })},
		{"repeat PATH", do(func(s *Site, w []string) { s.Repeat(w[0]) })},
		{"times N FAULT", limited(Times)},
		{"after N FAULT", limited(After)},
		{"heal PATTERN", do(func(s *Site, w []string) { s.Heal(w[0]) })},
		{"release PATTERN", func(s *Site, w []string) error { return s.release(w[0]) }},
		{"many N COMMAND", func(s *Site, w []string) error {
			n, err := number(w[0], "")
			for i := 0; err == nil && i < n; i++ {
				err = s.Script(strings.ReplaceAll(w[1], "%d", strconv.Itoa(i)))
			}
			return err
		}},
		{"forget", do(func(s *Site, _ []string) { s.Reset() })},
		{"count PATH N", func(s *Site, w []string) error {
			want, err := number(w[1], "")
			if got := s.Count(w[0]); err == nil && got != want {
				err = fmt.Errorf("%s was asked for %d times", w[0], got)
			}
			return err
		}},
	}
}

// series writes the middle of BEFORE|UNIT|AFTER n times, with its number in place
// of "%d".
func series(n int, text string) string {
	parts := append(strings.SplitN(text, "|", 3), "", "")
	var b strings.Builder
	b.WriteString(parts[0])
	for i := range n {
		b.WriteString(strings.ReplaceAll(parts[1], "%d", strconv.Itoa(i)))
	}
	b.WriteString(parts[2])
	return b.String()
}

// do runs what cannot fail.
func do(run func(s *Site, words []string)) func(*Site, []string) error {
	return func(s *Site, w []string) error {
		run(s, w)
		return nil
	}
}

func toggle(set func(*Site, bool)) func(*Site, []string) error {
	return func(s *Site, w []string) error {
		if w[0] != "on" && w[0] != "off" {
			return fmt.Errorf("%q is neither on nor off", w[0])
		}
		set(s, w[0] == "on")
		return nil
	}
}

// everywhere sets a fault of the whole site, or ends it.
func everywhere(f Fault) func(*Site, bool) {
	return func(s *Site, on bool) {
		if s.Heal("*"); on {
			s.Fault("*", f)
		}
	}
}

// number reads a word; fallback stands for an empty one.
func number(word, fallback string) (int, error) {
	if word == "" {
		word = fallback
	}
	n, err := strconv.Atoi(word)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", word)
	}
	return n, nil
}

// unquote reads a Go string literal, so that line breaks and odd bytes can be
// written; any other word stands for itself.
func unquote(word string) string {
	if text, err := strconv.Unquote(word); err == nil {
		return text
	}
	return word
}

package cli_test

import (
	"fmt"
	"strings"
)

// op is one thing that the owner does to the site; a and b choose the pages.
type op struct {
	Kind string
	A, B int
}

// opKinds are what an owner does, by name. Each returns the path that it did it to,
// or "" where nothing could be done.
func opKinds() map[string]func(m *modelSite, a, b int) string {
	return map[string]func(m *modelSite, a, b int) string{
		"add":       func(m *modelSite, _, _ int) string { return m.addNew() },
		"edit":      func(m *modelSite, a, _ int) string { return m.change(a, m.write, "live") },
		"edit home": func(m *modelSite, _, _ int) string { m.write(m.pages["/"]); return "/" },
		"lie":       func(m *modelSite, a, _ int) string { return m.change(a, m.lie, "live") },
		"thin": func(m *modelSite, a, _ int) string {
			return m.change(a, func(p *modelPage) { p.thin = !p.thin; m.touch(p) }, "live")
		},
		"remove": func(m *modelSite, a, _ int) string {
			return m.change(a, func(p *modelPage) { p.is, p.linked, p.listed = "missing", false, false }, "live", "hidden", "copy")
		},
		"lose": func(m *modelSite, a, _ int) string { return m.become(a, "missing", "live") }, // links and sitemap go on naming it
		"gone": func(m *modelSite, a, _ int) string { return m.become(a, "gone", "live") },
		"hide": func(m *modelSite, a, _ int) string { return m.become(a, "hidden", "live") },
		"restore": func(m *modelSite, a, _ int) string {
			return m.change(a, func(p *modelPage) { p.is, p.linked, p.listed = "live", true, true; m.touch(p) },
				"missing", "gone", "hidden", "moved", "away", "copy", "mistaken")
		},
		"unlink": func(m *modelSite, a, _ int) string {
			return m.change(a, func(p *modelPage) { p.linked = !p.linked }, "live")
		},
		"unlist": func(m *modelSite, a, _ int) string {
			return m.change(a, func(p *modelPage) { p.listed = !p.listed }, "live")
		},
		"redirect": func(m *modelSite, a, b int) string { return m.lead(a, b, "moved") },
		"away":     func(m *modelSite, a, b int) string { return m.lead(a, b, "away") },
		"mistake":  func(m *modelSite, a, b int) string { return m.lead(a, b, "mistaken") },
		"copy": func(m *modelSite, a, b int) string {
			path := m.lead(a, b, "copy")
			if path != "" {
				m.pages[path].edition = m.pages[m.pages[path].to].edition
			}
			return path
		},
		"move":        func(m *modelSite, a, _ int) string { return m.move(m.pick(a, "live"), true) },
		"move silent": func(m *modelSite, a, _ int) string { return m.move(m.pick(a, "live"), false) },
		"redesign":    func(m *modelSite, a, _ int) string { return m.each(a, func(path string) { m.move(path, true) }) },
		"purge": func(m *modelSite, a, _ int) string {
			return m.each(a, func(path string) { p := m.pages[path]; p.is, p.linked, p.listed = "missing", false, false })
		},
		"rewrite": func(m *modelSite, a, _ int) string { return m.each(a, func(path string) { m.write(m.pages[path]) }) },
	}
}

func (m *modelSite) addNew() string {
	path := pathOf(len(m.pages))
	for m.pages[path] != nil {
		path += "x"
	}
	m.add(path)
	m.touch(m.pages["/"])
	return path
}

// change does something to a page of one of the kinds; the front page, which has the
// links, changes with it.
func (m *modelSite) change(n int, do func(*modelPage), kinds ...string) string {
	path := m.pick(n, kinds...)
	if path != "" {
		do(m.pages[path])
		m.touch(m.pages["/"])
	}
	return path
}

func (m *modelSite) become(n int, is string, kinds ...string) string {
	return m.change(n, func(p *modelPage) { p.is = is; m.touch(p) }, kinds...)
}

// lead makes one live page lead to another.
func (m *modelSite) lead(a, b int, is string) string {
	from, to := m.pick(a, "live"), m.pick(b, "live")
	if from == "" || from == to {
		return ""
	}
	p := m.pages[from]
	p.is, p.to = is, to
	m.touch(p)
	return from
}

// move gives a page another address, with a redirect from the old one or without.
func (m *modelSite) move(from string, told bool) string {
	if from == "" {
		return ""
	}
	old := m.pages[from]
	m.moves++
	to := fmt.Sprintf("/m%d%s", m.moves, from[strings.LastIndexByte(from, '/'):]) // no trap: nothing in it is said twice
	moved := *old
	m.pages[to] = &moved
	m.touch(&moved)
	old.is, old.to, old.linked, old.listed = "missing", to, false, false
	if told {
		old.is = "moved"
	}
	m.touch(m.pages["/"])
	return from
}

// each does something to all live pages of a folder, or of the whole site.
func (m *modelSite) each(n int, do func(path string)) string {
	prefix := []string{"/s0/", "/s1/", "/s2/", "/"}[n%4]
	for _, path := range m.paths() {
		if path != "/" && strings.HasPrefix(path, prefix) && m.pages[path].is == "live" {
			do(path)
		}
	}
	m.touch(m.pages["/"])
	return prefix
}

// lie edits a page and leaves ETag, Last-Modified and lastmod as they were.
func (m *modelSite) lie(p *modelPage) {
	m.edition++
	p.edition, p.lied = m.edition, true
}

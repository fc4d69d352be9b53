package conformance

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
)

func putRules() []rule {
	return []rule{
		{"4.1 PUT creates a document", false, putCreates},
		{"4.1 PUT replaces the whole document", true, putReplaces},
		{"4.1 PUT of the same documents again changes nothing", false, putRepeats},
		{"2.2 the type is PageContent unless given", true, putTypes},
		{"2.2 an unknown type is a failed row", true, func(s *session) {
			for _, value := range []any{"pagecontent", "", 0, true, json.RawMessage("null"), object{}, []string{"PageContent"}} {
				s.badRow(func(d *doc) { d.Type = value })
			}
		}},
		{"2.2 a type inside fields is a failed row", true, func(s *session) {
			s.badRow(func(d *doc) { d.Fields["type"] = "FileContent" })
		}},
		{"2.2 values are strings only", true, func(s *session) {
			for _, value := range []any{1, true, nil, []string{"a"}, map[string]string{"a": "b"}} {
				s.badRow(func(d *doc) { d.Fields["Price"] = value })
			}
		}},
		{"2.2 the id is required", true, func(s *session) {
			s.badRow(func(d *doc) { d.ID = "" })
		}},
		{"2.2 field names are case-sensitive", true, putFieldNames},
		{"2.2 ids are bytes, never folded", false, putBytes},
		{"4.1 the last of several documents with one id wins", true, putDuplicates},
		{"4.1 crawlers are isolated", true, putIsolated},
		{"2.1 a crawler's ID is any text", true, putCrawlerIDs},
	}
}

func putCreates(s *session) {
	id := s.id("page")
	s.rows(s.upsert(page(id)), []string{id}, nil)
	s.deletes(id, 1)
}

func putReplaces(s *session) {
	d := page(s.id("page"))
	d.Fields["Price"] = "10"
	s.rows(s.upsert(d), []string{d.ID}, nil)
	delete(d.Fields, "Price")
	d.Fields["Title"] = "Another title"
	s.rows(s.upsert(d), []string{d.ID}, nil)
	if got := s.stored()["page"].Fields; len(got) != 3 || got["Title"] != "Another title" {
		s.Errorf("want the second document alone, got %v", got)
	}
}

func putRepeats(s *session) {
	id := s.id("page")
	for range 2 {
		s.rows(s.upsert(page(id)), []string{id}, nil)
	}
	s.deletes(id, 1)
	s.deletes(id, 0)
}

func putTypes(s *session) {
	file := page(s.id("file"))
	file.Type = "FileContent"
	plain := page(s.id("page"))
	entries := s.rows(s.upsert(file, plain), []string{file.ID, plain.ID}, nil)
	if string(entries[0].Document.Type) == string(entries[1].Document.Type) {
		s.Errorf("a page and a file have the same type %s in the answer", entries[0].Document.Type)
	}
	if got := s.stored(); got["file"].Type != "FileContent" || got["page"].Type != "PageContent" {
		s.Errorf("want FileContent and PageContent, got %v", got)
	}
}

// badRow sends a batch of a valid document and one that spoil has changed. Only the latter must fail.
func (s *session) badRow(spoil func(*doc)) {
	s.Helper()
	good, bad := page(s.id("good")), page(s.id("bad"))
	spoil(&bad)
	entries := s.rows(s.upsert(bad, good), []string{good.ID}, []string{bad.ID})
	if len(entries) != 2 {
		s.Errorf("want a row for each document, got %v", entries)
	}
	if names := slices.Collect(maps.Keys(s.stored())); !slices.Equal(names, []string{"good"}) {
		s.Errorf("want the good document alone, got %v", names)
	}
}

func putFieldNames(s *session) {
	d := page(s.id("page"))
	d.Fields["title"] = "lower"
	s.rows(s.upsert(d), []string{d.ID}, nil)
	if got := s.stored()["page"].Fields; got["Title"] != "A title" || got["title"] != "lower" {
		s.Errorf("want Title and title apart, got %v", got)
	}
}

func putBytes(s *session) {
	ids := []string{s.id("page"), s.id("Page"), s.id("page/"), s.id("page?a=1&b=2"), s.id("page?b=2&a=1"), s.id("p%61ge")}
	var docs []doc
	for _, id := range ids {
		docs = append(docs, page(id))
	}
	s.rows(s.upsert(docs...), ids, nil)
	for _, id := range ids {
		s.deletes(id, 1)
	}
}

func putDuplicates(s *session) {
	first, last := page(s.id("page")), page(s.root+"page")
	first.Fields["Title"], last.Fields["Title"] = "First", "Last"
	entries := s.rows(s.upsert(first, last), nil, nil)
	if len(entries) != 2 || !strings.Contains(entries[0].Reason, "duplicate") || !entries[1].Success {
		s.Errorf("want two rows, the first said to be a duplicate, got %v", entries)
	}
	if got := s.stored()["page"].Fields["Title"]; got != "Last" {
		s.Errorf("want the last document, got %q", got)
	}
}

func putIsolated(s *session) {
	id := s.id("page")
	s.rows(s.upsert(page(id)), []string{id}, nil)
	other := s.deletion(id)
	other.path = strings.Replace(other.path, s.target.CrawlerID, s.target.CrawlerID+"-other", 1)
	if a := s.ok(other); !strings.Contains(a.body, `"deleted":0`) {
		s.Errorf("DELETE on another crawler: want 0 deleted, got %s", a)
	}
	if a := s.send(request{method: http.MethodGet, path: s.indexPath()}); a.status != http.StatusMethodNotAllowed {
		s.Errorf("GET documents: want 405, got %s", a)
	}
	s.deletes(id, 1)
}

func putCrawlerIDs(s *session) {
	one := *s
	for _, one.target.CrawlerID = range []string{"a b", "a+b", "a&b=c", "a#b", "a/b", "a%2Fb", "a?b;c:@", "ø–漢", `a"b\c`, "a,b!$'()*[]", "-1", "00", "..."} {
		if a := one.ok(one.deletion(s.root)); !strings.Contains(a.body, `"deleted":0`) {
			s.Errorf("%q: %s", one.target.CrawlerID, a)
		}
		one.ok(one.upsert(page(s.root)))
		one.deletes(s.root, 1)
	}
	for _, one.target.CrawlerID = range []string{"", ".", "..", strings.Repeat("x", 1000)} {
		one.refused(one.upsert(page(s.root)), 0)
	}
}

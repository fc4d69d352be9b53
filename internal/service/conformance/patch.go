package conformance

import (
	"net/http"
)

func patchRules() []rule {
	return []rule{
		{"4.1 PATCH answers a row a document", false, patchRows},
		{"4.1 PATCH changes only the fields sent", true, patchFields},
		{"4.1 PATCH keeps the type unless it is sent", true, patchTypes},
		{"4.1 PATCH of a missing document is a failed row and creates nothing", false, patchMissing},
		{"2.2 PATCH stores an empty string", true, patchEmpty},
		{"2.2 PATCH with null is refused whole", true, patchNull},
	}
}

func patchRows(s *session) {
	id := s.id("page")
	s.rows(s.upsert(page(id)), []string{id}, nil)
	s.eventually(func() string {
		a := s.ok(s.patch(doc{ID: id, Fields: map[string]any{"Title": "Another title"}}))
		var entries []entry
		s.decode(a, &entries)
		if len(entries) != 1 || entries[0].Document.ID != id || !entries[0].Success {
			return "PATCH: want one good row, got " + a.String()
		}
		return ""
	})
}

func patchFields(s *session) {
	id := s.id("page")
	s.rows(s.upsert(page(id)), []string{id}, nil)
	s.rows(s.patch(doc{ID: id, Fields: map[string]any{"Title": "Another title", "Price": "10"}}), []string{id}, nil)
	got := s.stored()["page"].Fields
	want := map[string]string{"Title": "Another title", "Price": "10", "Url": id, "Description": "A description"}
	for name, value := range want {
		if got[name] != value {
			s.Errorf("%s: want %q, got %q", name, value, got[name])
		}
	}
}

func patchTypes(s *session) {
	d := page(s.id("page"))
	d.Type = "FileContent"
	s.rows(s.upsert(d), []string{d.ID}, nil)
	for _, step := range []struct {
		send any
		want string
	}{{nil, "FileContent"}, {"PageContent", "PageContent"}, {nil, "PageContent"}, {"FileContent", "FileContent"}} {
		s.rows(s.patch(doc{ID: d.ID, Type: step.send, Fields: map[string]any{}}), []string{d.ID}, nil)
		if got := s.stored()["page"].Type; got != step.want {
			s.Errorf("PATCH with type %v: want %s, got %s", step.send, step.want, got)
		}
	}
}

func patchMissing(s *session) {
	id := s.id("none")
	s.rows(s.patch(page(id)), nil, []string{id})
	s.deletes(id, 0)
}

func patchEmpty(s *session) {
	id := s.id("page")
	s.rows(s.upsert(page(id)), []string{id}, nil)
	s.rows(s.patch(doc{ID: id, Fields: map[string]any{"Title": ""}}), []string{id}, nil)
	if title, ok := s.stored()["page"].Fields["Title"]; !ok || title != "" {
		s.Errorf("want an empty Title, got %q (there is one: %v)", title, ok)
	}
}

func patchNull(s *session) {
	one, two := page(s.id("one")), page(s.id("two"))
	s.rows(s.upsert(one, two), []string{one.ID, two.ID}, nil)
	one.Fields["Title"], two.Fields["Title"] = "Another title", nil
	s.refused(s.patch(one, two), http.StatusBadRequest)
	if got := s.stored()["one"].Fields["Title"]; got != "A title" {
		s.Errorf("a refused PATCH changed Title to %q", got)
	}
}

package conformance

import (
	"net/http"
	"strings"
)

func deleteRules() []rule {
	return []rule{
		{"4.1 DELETE answers 1, then 0", false, func(s *session) {
			id := s.id("page")
			s.rows(s.upsert(page(id)), []string{id}, nil)
			s.deletes(id, 1)
			s.deletes(id, 0)
		}},
		{"4.1 DELETE decodes documentId once", false, deleteReserved},
		{"4.1 DELETE needs documentId", false, func(s *session) {
			s.refused(request{method: http.MethodDelete, path: s.indexPath()}, http.StatusBadRequest)
		}},
		{"4.1 DELETE takes one documentId", true, deleteWrong},
	}
}

func deleteReserved(s *session) {
	for _, name := range []string{"a b", "a+b", "a&b=c", "a#b", "a%2Fb", "a%20b", "a?b;c", "ø–漢", `a"b\c`, "a,b"} {
		id := s.id(name)
		s.rows(s.upsert(page(id)), []string{id}, nil)
		s.deletes(id, 1)
	}
}

func deleteWrong(s *session) {
	id := s.id("page")
	s.rows(s.upsert(page(id)), []string{id}, nil)
	twice := s.deletion(id)
	twice.path += "&documentId=" + strings.SplitN(twice.path, "=", 2)[1]
	for _, query := range []string{"?documentId=", "?documentid=x", "?documentId=%ff", "?documentId=%2", "?documentId=a;b"} {
		s.refused(request{method: http.MethodDelete, path: s.indexPath() + query}, http.StatusBadRequest)
	}
	s.refused(twice, http.StatusBadRequest)
	s.deletes(id, 1)
}

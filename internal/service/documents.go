package service

import (
	"maps"
	"net/http"
	"net/url"
	"unicode/utf8"

	"sitesync/internal/wire"
)

func (s *Service) documentRoutes() {
	s.route("/api/v4/{customer}/index/{crawler}/documents", methods{
		http.MethodPut:    s.answer(EndpointPut, s.putDocuments),
		http.MethodPatch:  s.answer(EndpointPatch, s.patchDocuments),
		http.MethodDelete: s.answer(EndpointDelete, s.deleteDocument),
	})
}

// putDocuments is PUT documents, specification section 4.1: each document is
// replaced whole, or created.
func (s *Service) putDocuments(c *call) (apply, error) {
	rows, err := decodeRows(c)
	if err != nil {
		return nil, err
	}
	return func() (reply, error) {
		if err := s.write(c, rows, putRow); err != nil {
			return reply{}, err
		}
		return c.rules.PutAnswer.reply(results(rows))
	}, nil
}

// patchDocuments is PATCH documents, specification section 4.1: only the fields
// sent are changed; type is kept unless sent.
func (s *Service) patchDocuments(c *call) (apply, error) {
	rows, err := decodeRows(c)
	if err != nil {
		return nil, err
	}
	return func() (reply, error) {
		if err := s.write(c, rows, patchRow); err != nil {
			return reply{}, err
		}
		return jsonReply(http.StatusOK, results(rows))
	}, nil
}

// write stores the good rows of a batch in one transaction.
func (s *Service) write(c *call, rows []row, put func(*index, *call, *row) error) error {
	return s.store.update(c.customer, c.crawler, func(x *index) error {
		for i := range rows {
			r := &rows[i]
			if r.bad && !r.lose {
				continue
			}
			if err := put(x, c, r); err != nil {
				return err
			}
		}
		return wholeBatch(rows, c.rules)
	})
}

// wholeBatch errs for the first failed row where a switch makes that the
// request's failure.
func wholeBatch(rows []row, rules *rules) error {
	if !rules.WholeBatch {
		return nil
	}
	for i, r := range rows {
		if r.bad {
			return badRequest("element %d: %s", i+1, r.reason)
		}
	}
	return nil
}

func putRow(x *index, c *call, r *row) error {
	if c.gap || r.lose {
		_, err := x.remove(r.doc.ID)
		return err
	}
	if r.doc.Type == nil {
		r.doc.Type = new(pageContent)
	}
	return x.put(r.doc)
}

func patchRow(x *index, c *call, r *row) error {
	have, found, err := x.get(r.doc.ID)
	if err != nil {
		return err
	}
	if !found && !c.rules.PatchUpserts {
		r.fail("not found")
		return nil
	}
	r.doc = merge(have, r.doc, c.rules.PatchResetsType)
	return x.put(r.doc)
}

// merge returns what a stored document becomes under a patch.
func merge(have, patch wire.Document, resetType bool) wire.Document {
	merged := wire.Document{ID: patch.ID, Type: patch.Type, Fields: maps.Clone(have.Fields)}
	if merged.Fields == nil {
		merged.Fields = patch.Fields
	}
	maps.Copy(merged.Fields, patch.Fields)
	if merged.Type == nil && !resetType {
		merged.Type = have.Type
	}
	if merged.Type == nil {
		merged.Type = new(pageContent)
	}
	return merged
}

// deleteDocument is DELETE documents, specification section 4.1.
func (s *Service) deleteDocument(c *call) (apply, error) {
	id, err := documentID(c.r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	c.ids = []string{id}
	return func() (reply, error) {
		if refusal, ok := c.rules.refusal(EndpointDelete, id); ok {
			return jsonReply(c.rules.deleteFailureStatus(), wire.DeleteResult{Failed: new(1), Reason: new(refusal.reason())})
		}
		deleted := 0
		err := s.store.update(c.customer, c.crawler, func(x *index) error {
			found, err := x.remove(id)
			if found {
				deleted = 1
			}
			return err
		})
		if err != nil {
			return reply{}, err
		}
		return jsonReply(http.StatusOK, wire.DeleteResult{Deleted: &deleted})
	}, nil
}

// documentID returns the one documentId of a query, decoded once.
func documentID(query string) (string, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", badRequest("the query is malformed")
	}
	ids := values["documentId"]
	if len(ids) != 1 || ids[0] == "" || !utf8.ValidString(ids[0]) {
		return "", badRequest("documentId is required, once")
	}
	return ids[0], nil
}

package service

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"unicode/utf8"

	"sitesync/internal/wire"
)

// writeDocuments is PUT and PATCH documents, specification section 4.1: PUT
// replaces each document whole, or creates it; PATCH changes only the fields sent,
// and keeps the type unless sent. The good rows of a batch are one transaction.
func (s *Service) writeDocuments(c *call) (reply, error) {
	rows, err := decodeRows(c)
	if err != nil {
		return reply{}, err
	}
	err = s.update(c.customer, c.crawler, func(x *index) error {
		for i := range rows {
			if err := rows[i].store(x, c); err != nil {
				return err
			}
			if rows[i].bad && c.switches.WholeBatch {
				return badRequest("element %d: %s", i+1, rows[i].reason)
			}
		}
		return nil
	})
	body, other := putBodies()[c.switches.PutAnswer]
	if err == nil && other && c.endpoint == EndpointPut {
		return reply{status: http.StatusOK, body: []byte(body)}, nil
	}
	return okReply(results(rows), err)
}

// putBodies are the answers to PUT other than rows.
func putBodies() map[string]string {
	return map[string]string{"empty": "", "object": "{}", "array": "[]"}
}

// store writes one row, unless it is bad.
func (r *row) store(x *index, c *call) error {
	if r.bad && !r.lose {
		return nil
	}
	if r.lose || c.gap {
		_, err := x.remove(r.doc.ID)
		return err
	}
	if c.endpoint == EndpointPatch {
		have, found, err := x.get(r.doc.ID)
		if err != nil {
			return err
		}
		if !found && !c.switches.PatchUpserts {
			r.fail("not found")
			return nil
		}
		if sent := r.doc.Fields; c.switches.PatchEchoes {
			defer func() { r.doc.Fields = sent }()
		}
		r.doc = merge(have, r.doc, c.switches.PatchResetsType)
	}
	if r.doc.Type == nil {
		r.doc.Type = new(pageContent)
	}
	return x.put(r.doc)
}

// merge returns what a stored document becomes under a patch.
func merge(have, patch wire.Document, resetType bool) wire.Document {
	fields := map[string]json.RawMessage{}
	maps.Copy(fields, have.Fields)
	maps.Copy(fields, patch.Fields)
	patch.Fields = fields
	if patch.Type == nil && !resetType {
		patch.Type = have.Type
	}
	return patch
}

// deleteDocument is DELETE documents, specification section 4.1.
func (s *Service) deleteDocument(c *call) (reply, error) {
	id, err := documentID(c.r.URL.RawQuery)
	if err != nil {
		return reply{}, err
	}
	if refusal, ok := c.switches.refusal(EndpointDelete, id); ok {
		return jsonReply(c.switches.deleteFailureStatus(), wire.DeleteResult{Failed: new(1), Reason: new(refusal.reason())})
	}
	deleted := 0
	err = s.update(c.customer, c.crawler, func(x *index) (err error) {
		deleted, err = x.remove(id)
		return err
	})
	return okReply(wire.DeleteResult{Deleted: &deleted}, err)
}

// documentID returns the one documentId of a query, decoded once.
func documentID(query string) (string, error) {
	values, err := url.ParseQuery(query)
	ids := values["documentId"]
	if err != nil || len(ids) != 1 || ids[0] == "" || !utf8.ValidString(ids[0]) {
		return "", badRequest("documentId is required, once")
	}
	return ids[0], nil
}

package strike

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Readings are what a hosted service may do otherwise than the local one, as the
// specification does not tell: rows that it refuses, what it makes of PATCH, which filters it
// knows. The zero value is the local service as it is.
type Readings struct {
	Refuse              []Refusal `json:"refuse,omitempty"`
	MaxDocuments        int       `json:"max_documents,omitempty"` // elements of an array; beyond them it is answered 413
	MaxBytes            int       `json:"max_bytes,omitempty"`     // of a body, likewise
	WholeBatch          bool      `json:"whole_batch,omitempty"`   // 400, and nothing is applied, where a row fails
	PatchUpserts        bool      `json:"patch_upserts,omitempty"` // PATCH makes a document that is missing
	PatchEchoes         bool      `json:"patch_echoes,omitempty"`  // PATCH answers the fields that were sent
	PatchResetsType     bool      `json:"patch_resets_type,omitempty"`
	Unfilterable        []string  `json:"unfilterable,omitempty"`          // fields of which a bulk delete knows nothing: they match no document
	IgnoreUnknownFields bool      `json:"ignore_unknown_fields,omitempty"` // or every one
	IssueIDs            bool      `json:"issue_ids,omitempty"`             // IDs in feedback become those of an answer
}

// Refusal fails the documents whose ID it matches.
type Refusal struct {
	Endpoint string `json:"endpoint,omitempty"` // put, patch, delete or paths, where Reason is the status; default put and patch
	ID       string `json:"id"`                 // regular expression, matching anywhere; "" matches all
	Reason   string `json:"reason,omitempty"`
	Lose     bool   `json:"lose,omitempty"` // a refused PUT deletes the old document first
}

// refused returns what fails a document at an endpoint; false for nothing.
func (s *Readings) refused(endpoint, id string) (Refusal, bool) {
	for _, r := range s.Refuse {
		here := r.Endpoint == endpoint || r.Endpoint == "" && (endpoint == "put" || endpoint == "patch")
		if here && regexp.MustCompile(r.ID).MatchString(id) {
			if r.Reason == "" {
				r.Reason = map[bool]string{false: "refused", true: "Invalid"}[endpoint == "paths"]
			}
			return r, true
		}
	}
	return Refusal{}, false
}

// serve has the service answer a call as the readings in force have it.
func (p *Panel) serve(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	s := p.readings
	p.mu.Unlock()
	endpoint := p.endpoint(r.Method, r.URL.Path)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	c := &call{service: p.service, request: r, endpoint: endpoint, body: body, Readings: s}
	var elements []json.RawMessage
	if endpoint == "put" || endpoint == "patch" || endpoint == "paths" {
		_ = json.Unmarshal(body, &elements)
	}
	refusal, refused := s.refused(endpoint, r.URL.Query().Get("documentId"))
	switch {
	case reflect.ValueOf(s).IsZero():
		p.service.ServeHTTP(w, r)
	case s.MaxDocuments > 0 && len(elements) > s.MaxDocuments, s.MaxBytes > 0 && len(body) > s.MaxBytes:
		reply(w, http.StatusRequestEntityTooLarge, map[string]string{"message": "too large"})
	case endpoint == "delete" && refused:
		reply(w, http.StatusInternalServerError, map[string]any{"failed": 1, "reason": refusal.Reason})
	case endpoint == "bulk-delete" && s.Unfilterable != nil:
		c.bulkDelete(w)
	case endpoint == "paths" && len(elements) > 0:
		c.rows(w, elements, func(element json.RawMessage) string {
			var url string
			_ = json.Unmarshal(element, &url)
			return url
		}, func(url string, _ json.RawMessage, reason string) any {
			return map[string]string{"url": url, "status": reason}
		})
	case len(elements) > 0:
		c.documents(w, elements)
	case s.IssueIDs && (strings.HasSuffix(endpoint, "-feedback") || endpoint == "answer-click"):
		c.feedback(w)
	default:
		p.service.ServeHTTP(w, r)
	}
}

// call is one call under readings.
type call struct {
	Readings
	service  http.Handler
	request  *http.Request
	endpoint string
	body     []byte
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

// ask makes another call with the credentials of this one.
func (c *call) ask(method, path, query string, body []byte) *httptest.ResponseRecorder {
	r := c.request.Clone(c.request.Context())
	r.Method, r.Body, r.ContentLength = method, io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.URL.Path, r.URL.RawPath, r.URL.RawQuery = path, "", query
	r.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	c.service.ServeHTTP(answer, r)
	return answer
}

// stored returns the documents of the call's crawler.
func (c *call) stored() (ids []string) {
	parts := strings.Split(c.request.URL.Path, "/") // /api/v4/CUSTOMER/index/CRAWLER/documents
	answer := c.ask(http.MethodGet, path.Join("/_/crawlers", parts[3], parts[5], "documents"), "", nil)
	var documents []struct{ ID string }
	_ = json.Unmarshal(answer.Body.Bytes(), &documents)
	for _, d := range documents {
		ids = append(ids, d.ID)
	}
	return ids
}

func (c *call) remove(id string) {
	at, _, _ := strings.Cut(c.request.URL.Path, "/bulk-delete")
	c.ask(http.MethodDelete, at, "documentId="+url.QueryEscape(id), nil)
}

// rows passes on the elements of an array that are not refused, and puts the rows of the
// others between those that come back.
func (c *call) rows(
	w http.ResponseWriter, elements []json.RawMessage, idOf func(json.RawMessage) string, row func(id string, element json.RawMessage, reason string) any,
) {
	var taken []json.RawMessage
	rows := make([]any, len(elements))
	for i, element := range elements {
		if refusal, refused := c.refused(c.endpoint, idOf(element)); refused {
			rows[i] = row(idOf(element), element, refusal.Reason)
			continue
		}
		taken = append(taken, element)
	}
	body, _ := json.Marshal(taken)
	if taken == nil {
		body = []byte("[]")
	}
	answer := c.ask(c.request.Method, c.request.URL.Path, c.request.URL.RawQuery, body)
	var back []json.RawMessage
	if answer.Code != http.StatusOK || json.Unmarshal(answer.Body.Bytes(), &back) != nil || len(back) != len(taken) {
		w.WriteHeader(answer.Code)
		_, _ = w.Write(answer.Body.Bytes())
		return
	}
	for i := range rows {
		if rows[i] == nil {
			rows[i], back = back[0], back[1:]
		}
	}
	reply(w, http.StatusOK, rows)
}

// sentDocument is an element of a PUT or a PATCH.
type sentDocument struct {
	ID     string          `json:"id"`
	Fields json.RawMessage `json:"fields"`
	Type   string          `json:"type,omitempty"`
}

func readDocument(element json.RawMessage) (d sentDocument) {
	_ = json.Unmarshal(element, &d)
	return d
}

// documents is PUT and PATCH.
func (c *call) documents(w http.ResponseWriter, elements []json.RawMessage) {
	stored := c.stored()
	for i, element := range elements {
		d := readDocument(element)
		missing := c.endpoint == "patch" && !slices.Contains(stored, d.ID)
		refusal, refused := c.refused(c.endpoint, d.ID)
		switch {
		case c.WholeBatch && (refused || missing && !c.PatchUpserts):
			reply(w, http.StatusBadRequest, map[string]string{"message": fmt.Sprintf("element %d: %s", i+1, refusal.Reason)})
			return
		case refused && refusal.Lose:
			c.remove(d.ID)
		case missing && c.PatchUpserts && !refused:
			c.ask(http.MethodPut, c.request.URL.Path, "", slices.Concat([]byte("["), element, []byte("]")))
		}
		if c.endpoint == "patch" && c.PatchResetsType && d.Type == "" {
			d.Type = "PageContent"
			elements[i], _ = json.Marshal(d)
		}
	}
	answer := httptest.NewRecorder()
	c.rows(answer, elements, func(element json.RawMessage) string { return readDocument(element).ID }, func(id string, element json.RawMessage, reason string) any {
		return map[string]any{"document": map[string]any{"id": id, "type": 0, "fields": readDocument(element).Fields}, "reason": reason, "success": false}
	})
	var rows []struct {
		Document struct {
			ID     string          `json:"id"`
			Type   json.RawMessage `json:"type"`
			Fields json.RawMessage `json:"fields"`
		} `json:"document"`
		Reason  string `json:"reason"`
		Success bool   `json:"success"`
	}
	if c.endpoint == "patch" && c.PatchEchoes && json.Unmarshal(answer.Body.Bytes(), &rows) == nil {
		for i := range rows {
			rows[i].Document.Fields = readDocument(elements[i]).Fields
		}
		reply(w, http.StatusOK, rows)
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// bulkDelete is a bulk delete by fields that the vendor did not set up.
func (c *call) bulkDelete(w http.ResponseWriter) {
	var filter map[string]json.RawMessage
	_ = json.Unmarshal(c.body, &filter)
	all := len(filter)
	for _, field := range c.Unfilterable {
		delete(filter, field)
	}
	body, _ := json.Marshal(filter)
	switch {
	case len(filter) > 0 && (c.IgnoreUnknownFields || len(filter) == all):
		answer := c.ask(http.MethodPost, c.request.URL.Path, "", body)
		reply(w, answer.Code, json.RawMessage(answer.Body.Bytes()))
		return
	case !c.IgnoreUnknownFields:
		reply(w, http.StatusOK, map[string]any{"success": true, "deleted": 0})
		return
	}
	ids := c.stored()
	for _, id := range ids {
		c.remove(id)
	}
	reply(w, http.StatusOK, map[string]any{"success": true, "deleted": len(ids)})
}

// feedback passes feedback on with IDs that the service has just given out.
func (c *call) feedback(w http.ResponseWriter) {
	asked := map[bool]string{true: "summarize", false: "answer"}[c.endpoint == "summary-feedback"]
	at, _, _ := strings.Cut(c.request.URL.Path, "/search/")
	var sent, given map[string]any
	_ = json.Unmarshal(c.body, &sent)
	_ = json.Unmarshal(c.ask(http.MethodPost, at+"/search/"+asked, "", []byte(`{"query":"a"}`)).Body.Bytes(), &given)
	for _, key := range []string{"summaryId", "conversationId", "exchangeId"} {
		if sent[key] != nil {
			sent[key] = given[key]
		}
	}
	body, _ := json.Marshal(sent)
	answer := c.ask(http.MethodPost, c.request.URL.Path, "", body)
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

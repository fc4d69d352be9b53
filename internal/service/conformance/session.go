package conformance

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"
)

type session struct {
	*testing.T
	target Target
	client *http.Client
	shared *ranking
	root   string // prefix of this subtest's document IDs
}

func newSession(t *testing.T, target Target, client *http.Client, shared *ranking) *session {
	return &session{T: t, target: target, client: client, shared: shared, root: "https://conformance.invalid/" + rand.Text() + "/"}
}

// id returns a document ID of this subtest. A document with the ID is deleted when the subtest ends.
func (s *session) id(name string) string {
	id := s.root + name
	s.Cleanup(func() {
		if answer := s.send(s.deletion(id)); answer.status/100 != 2 {
			s.Errorf("%s may be left behind: its delete was answered %s", id, answer)
		}
	})
	return id
}

// request is one HTTP request. Empty fields stand for the values of a valid request.
type request struct {
	method string
	path   string // path and query, after Target.BaseURL
	body   string
	media  string // Content-Type; default application/json
	auth   string // Authorization header; default valid Basic credentials; "-" means no header
	wrong  bool   // true if the request breaks the specification on purpose
}

type answer struct {
	status int
	body   string
	shown  string // beginning of the body, without the API key
}

func (a answer) String() string { return strconv.Itoa(a.status) + " " + a.shown }

func (s *session) send(r request) answer {
	s.Helper()
	ctx := context.Background() // clean-up sends requests after s.Context has ended
	if r.wrong {
		ctx = context.WithValue(ctx, wrongOnPurpose{}, true)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, s.target.BaseURL+r.path, strings.NewReader(r.body))
	if err != nil {
		s.Fatalf("make a request of %s: %v", r.path, err)
	}
	if r.media == "" {
		r.media = "application/json"
	}
	req.Header.Set("Content-Type", r.media)
	if r.auth == "" {
		r.auth = s.basic(s.target.CustomerID, s.target.APIKey)
	}
	if r.auth != "-" {
		req.Header.Set("Authorization", r.auth)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		s.Fatalf("%s %s: %v", r.method, r.path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		s.Fatalf("%s %s: read the answer: %v", r.method, r.path, err)
	}
	return answer{resp.StatusCode, string(body), s.shown(body)}
}

func (s *session) shown(body []byte) string {
	text := strings.ReplaceAll(string(body), s.target.APIKey, "<API_KEY>")
	return text[:min(len(text), 300)]
}

func (s *session) basic(customer int64, key string) string {
	pair := strconv.FormatInt(customer, 10) + ":" + key
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))
}

func (s *session) siteKey(customer, engine int64) string {
	triple := fmt.Sprintf("%d:%d:SearchKey", customer, engine)
	return "SiteKey " + base64.StdEncoding.EncodeToString([]byte(triple))
}

// engineCall returns a POST to a path of the target's engine (site search), with the engine's public SiteKey.
func (s *session) engineCall(version, path, body string) request {
	return request{
		method: http.MethodPost, path: fmt.Sprintf("/api/%s/%d/%d/%s", version, s.target.CustomerID, s.target.EngineID, path),
		body: body, auth: s.siteKey(s.target.CustomerID, s.target.EngineID),
	}
}

func (s *session) indexPath() string { return s.versioned("v4", "index") + "/documents" }

func (s *session) versioned(version, area string) string {
	customer := strconv.FormatInt(s.target.CustomerID, 10)
	return "/api/" + version + "/" + customer + "/" + area + "/" + url.PathEscape(s.target.CrawlerID)
}

// doc is a document to send. Its types allow invalid values, which rules send on purpose.
type doc struct {
	ID     string         `json:"id"`
	Type   any            `json:"type,omitempty"`
	Fields map[string]any `json:"fields"`
}

func page(id string) doc {
	return doc{ID: id, Fields: map[string]any{"Title": "A title", "Url": id, "Description": "A description"}}
}

func (s *session) upsert(docs ...doc) request {
	return request{method: http.MethodPut, path: s.indexPath(), body: s.encode(docs)}
}

func (s *session) patch(docs ...doc) request {
	return request{method: http.MethodPatch, path: s.indexPath(), body: s.encode(docs)}
}

func (s *session) deletion(id string) request {
	escaped := strings.ReplaceAll(url.QueryEscape(id), "+", "%20")
	return request{method: http.MethodDelete, path: s.indexPath() + "?documentId=" + escaped}
}

func (s *session) encode(v any) string {
	s.Helper()
	body, err := json.Marshal(v)
	if err != nil {
		s.Fatalf("encode a body: %v", err)
	}
	return string(body)
}

// decode decodes the body of a response into v. On a local service, it fails on keys that v does not have.
func (s *session) decode(a answer, v any) {
	s.Helper()
	dec := json.NewDecoder(strings.NewReader(a.body))
	if s.target.Local {
		dec.DisallowUnknownFields()
	}
	if err := dec.Decode(v); err != nil {
		s.Fatalf("answer %s has not the specified shape: %v", a, err)
	}
}

// eventually repeats check until check returns "". After Target.Wait, the subtest fails with the last text.
func (s *session) eventually(check func() string) {
	s.Helper()
	deadline := time.Now().Add(s.target.Wait)
	for {
		wrong := check()
		if wrong == "" {
			return
		}
		if time.Now().After(deadline) {
			s.Fatal(wrong)
		}
		select {
		case <-time.After(min(time.Second, s.target.Wait)):
		case <-s.Context().Done():
			s.Fatal(wrong)
		}
	}
}

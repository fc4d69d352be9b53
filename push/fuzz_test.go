package push

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

func FuzzAnswers(f *testing.F) {
	for _, body := range []string{
		``, `{}`, `[]`, `null`, `[{"document":{"id":"A","type":1,"fields":{}},"reason":"","success":true}]`,
		`[{"success":false},{"success":true}]`, `{"deleted":1}`, `{"failed":1,"reason":"x"}`, `{"message":"unauthorized"}`,
		`{"success":true,"deleted":3,"failed":0,"reason":""}`, `[{"url":"A","status":"Ok"}]`,
		`{"status":"InternalServerError","code":500,"messages":["Reference 12345678"]}`, `[{"document":`, "\ufeff[]",
	} {
		f.Add(200, []byte(body))
		f.Add(500, []byte(body))
	}
	list := changes(document.Patch, "A", "B")
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		got := newAnswer(status, body)
		body = got.body
		failure := classify(got, nil)
		if failure == nil && !isSuccess(status) {
			t.Errorf("status %d is no failure", status)
		}
		if failure == nil && len(body) > 0 && !json.Valid(body) {
			t.Error("a cut answer is no failure")
		}
		outcomes, _ := new(Client).judge(document.Patch, list, got)
		for i, o := range outcomes {
			if o.ID != list[i].ID || len(got.rows) == 0 && o.State != document.InDoubt {
				t.Errorf("outcome %+v", o)
			}
		}
		if found, deleted := readDeletion("A", got); deleted < 0 || deleted > 0 && (found.State != document.Acknowledged || !isSuccess(status)) {
			t.Errorf("%+v, %d", found, deleted)
		}
		if result, ok := readBulk(got.said); ok && result.Deleted < 0 {
			t.Errorf("%+v", result)
		}
	})
}

func FuzzToolAnswers(f *testing.F) {
	for _, body := range []string{
		`{"id":42}`, `[{"groupId":42},{}]`, `{"ID":"42"}`, `{"pages[0].page.pageurl":["x"],"a":[]}`, `{"failed":1,"reason":"x"}`, `{"a":null}`, `{"a":[null]}`,
		`{"WebsiteId":7,"pages":[{"page":{"pageurl":"u","websiteid":"7"}},null,3]}`, `{"from":"2026-01-01T00:00:00Z","to":0}`,
	} {
		f.Add(200, []byte(body))
		f.Add(404, []byte(body))
	}
	f.Fuzz(func(t *testing.T, status int, body []byte) {
		got := newAnswer(status, body)
		body = got.body
		failure := classify(got, nil)
		if failure != nil && failure.Kind == KindFields && failure.Message == "" {
			t.Errorf("%+v", failure)
		}
		_, err := wire.ParseObject(body)
		for _, kind := range wire.Kinds() {
			if found := pick(kind, 42, body); found != nil && kind.ID(found) != 42 || kind.ID(body) != 0 && err != nil {
				t.Errorf("%s: %s", kind, found)
			}
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("Fri, 01 Jan 2100 00:00:00 GMT")
	f.Add("120")
	f.Add("https://example.org/a b+c?x=%2F&y#z")
	f.Add("\x1b[2J\u202e\xff" + strings.Repeat("x", 400))
	f.Fuzz(func(t *testing.T, s string) {
		if d := document.RetryAfter(http.Header{"Retry-After": {s}}, time.Unix(0, 0)); d < 0 || d > document.MaxRetryAfter {
			t.Errorf("wait %s", d)
		}
		if text := printable(s); len(text) > maxQuoteBytes || strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("%q", text)
		}
		if back, err := url.QueryUnescape(escapeID(s)); err != nil || back != s {
			t.Errorf("%q, %v", back, err)
		}
	})
}

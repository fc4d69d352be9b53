package push

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode"

	"sitesync/internal/document"
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
		body = trimJSON(body)
		got := answer{status: status, body: body}
		failure := classify(got, nil)
		if failure == nil && !isSuccess(status) {
			t.Errorf("status %d is no failure", status)
		}
		if failure == nil && isCut(body) {
			t.Error("a cut answer is no failure")
		}
		rows := readRows(body)
		for i, o := range judgeRows(document.Patch, list, rows) {
			if o.ID != list[i].ID || len(rows) == 0 && o.State != document.InDoubt {
				t.Errorf("outcome %+v", o)
			}
		}
		if found, deleted := readDeletion("A", got); deleted < 0 || deleted > 0 && (found.State != document.Acknowledged || !isSuccess(status)) {
			t.Errorf("%+v, %d", found, deleted)
		}
		if result, ok := readBulk(got); ok && result.Deleted < 0 {
			t.Errorf("%+v", result)
		}
	})
}

func FuzzText(f *testing.F) {
	f.Add("Fri, 01 Jan 2100 00:00:00 GMT")
	f.Add("120")
	f.Add("https://example.org/a b+c?x=%2F&y#z")
	f.Add("\x1b[2J\u202e\xff" + strings.Repeat("x", 400))
	f.Fuzz(func(t *testing.T, s string) {
		if d := retryAfter(http.Header{"Retry-After": {s}}, time.Unix(0, 0)); d < 0 || d > maxRetryAfter {
			t.Errorf("wait %s", d)
		}
		if text := printable(s); len(text) > maxQuote || strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("%q", text)
		}
		if back, err := url.QueryUnescape(escapeID(s)); err != nil || back != s {
			t.Errorf("%q, %v", back, err)
		}
	})
}

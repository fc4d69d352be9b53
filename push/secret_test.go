package push

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// A service or a proxy that quotes the key finds it in nothing that leaves here.
func TestKeyIsTakenOutOfAnswers(t *testing.T) {
	pair := base64.StdEncoding.EncodeToString([]byte("12345678:" + testKey))
	quoted, _ := json.Marshal("Basic " + pair + " = " + testKey)
	leaks := []http.HandlerFunc{
		answers(400, `{"message":`+string(quoted)+`}`),
		answers(500, testKey+strings.Repeat(pair, 50)),
		answers(400, string(quoted)),
		answers(302, "", "Location", "https://"+testKey[3:5]+":7f3b9d@x.example/"+url.PathEscape(testKey)+pair+"?key="+testKey+"#7f3b9d"),
		answers(200, `[{"document":{"id":"a"},"success":false,"reason":`+string(quoted)+`}]`),
		answers(200, `{"failed":1,"reason":`+string(quoted)+`}`),
		answers(200, `{"success":false,"reason":`+string(quoted)+`}`),
		answers(200, `[{"url":"a","status":`+string(quoted)+`}]`),
		answers(500, `{"status":"x","code":500,"messages":["`+pair+`"]}`),
		answers(400, `{"a":[`+string(quoted)+`]}`),
	}
	for i, leak := range leaks {
		var log bytes.Buffer
		s := newService(t, leak)
		c, _ := newClient(t, s.URL, func(o *Options) { o.Logger = slog.New(slog.NewJSONHandler(&log, nil)) })
		put, err1 := apply(t.Context(), c, document.Put, changes(document.Put, "a"))
		gone, err2 := apply(t.Context(), c, document.Delete, changes(document.Delete, "a"))
		bulk, _, err3 := c.ApplyBulk(t.Context(), []byte(`{"x":{"operator":"Eq","values":["y"]}}`))
		paths, err4 := apply(t.Context(), c, document.Queue, changes(document.Queue, "a"))
		err5 := c.CheckCredentials(t.Context())
		text := fmt.Sprintf("%+v %+v %+v %+v %v %v %v %v %v %+v %#v", put, gone, bulk, paths, err1, err2, err3, err4, err5, c, c)
		text += fmt.Sprintf("%#v %#v", err3, err4) + log.String()
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			assertNoKey(t, text)
			if !strings.Contains(text, document.Hidden) {
				t.Errorf("nothing was quoted: %s", text)
			}
		})
	}
}

// assertNoKey looks for the parts of the key that no encoding here splits, and
// for the middle of its base64 forms.
func assertNoKey(t *testing.T, text string) {
	t.Helper()
	pair := base64.StdEncoding.EncodeToString([]byte("12345678:" + testKey))
	alone := base64.StdEncoding.EncodeToString([]byte(testKey))
	for _, leak := range []string{"ry<key>", `ry\u003ckey`, "7f3b9d", pair[8:24], alone[:16], fmt.Sprintf("%x", "7f3b9d")} {
		if strings.Contains(text, leak) {
			t.Errorf("%q is in %s", leak, text)
		}
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 日本":              "plain é 日本",
		"a\x1b[31mb\r\n\tc\x00":   "a\ufffd[31mb\ufffd\ufffd\ufffdc\ufffd",
		"\u202eevil\u200b":        "\ufffdevil\ufffd",
		"it's \\ \"quoted\"":      "it's \\ \"quoted\"",
		"\xff":                    "\ufffd",
		strings.Repeat("x", 1000): strings.Repeat("x", 200) + "…" + strings.Repeat("x", 97),
		strings.Repeat("é", 150) + "x reference 7": strings.Repeat("é", 100) + "…" + strings.Repeat("é", 42) + "x reference 7",
	} {
		if got := printable(in); got != want || len(got) > maxQuoteBytes {
			t.Errorf("%q: %q", in, got)
		}
	}
}

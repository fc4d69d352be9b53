package push

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/wire"
)

const testEngine = 7

func newTools(t *testing.T, base string) *Tools {
	t.Helper()
	return NewTools(Options{
		BaseURL: base, Customer: testCustomer, Engine: testEngine, Key: testKey,
		Backoff: func() backoff.BackOff { return &backoff.ZeroBackOff{} },
	})
}

// try makes one call and returns its answer.
func (t *Tools) try(ctx context.Context, op string, kind wire.Kind, body string) (got []byte, err error) {
	switch op {
	case opCreate:
		return t.Create(ctx, kind, []byte(body))
	case opGet:
		return t.Get(ctx, kind, 42)
	case opReplace:
		return t.Replace(ctx, kind, 42, []byte(body))
	case opDelete:
		return nil, t.Delete(ctx, kind, 42)
	}
	return nil, t.list(ctx, t.begin(opList, kind, 0))
}

// Section 4.2, and the operations beyond it: method, unversioned path, Basic, JSON.
func TestToolCalls(t *testing.T) {
	const tool, group = `{"ID": 42}`, `{"groupId":42}`
	for _, test := range []struct {
		op            string
		kind          wire.Kind
		want, answers string
	}{
		{opCreate, wire.KindRanking, "POST /api/rankings", tool},
		{opCreate, wire.KindQuicklink, "POST /api/quicklinks", tool},
		{opCreate, wire.KindBanner, "POST /api/banners", tool},
		{opCreate, wire.KindSynonyms, "POST /api/synonymsgroup", group},
		{opGet, wire.KindRanking, "GET /api/rankings/42", tool},
		{opGet, wire.KindQuicklink, "GET /api/quicklinks/42", tool},
		{opGet, wire.KindBanner, "GET /api/banners/42", `{"id":"42","message":"a banner's own","errors":["x"]}`},
		{opGet, wire.KindSynonyms, "GET /api/synonymsgroup/42", group},
		{opGet, wire.KindSynonyms, "GET /api/synonymsgroup/42", `[{"groupId":41},{"groupId":42}]`},
		{opReplace, wire.KindRanking, "PUT /api/rankings/42", tool},
		{opReplace, wire.KindQuicklink, "PUT /api/quicklinks/42", tool},
		{opReplace, wire.KindBanner, "PUT /api/banners/42", tool},
		{opReplace, wire.KindSynonyms, "PUT /api/synonymsgroup", group},
		{opDelete, wire.KindRanking, "DELETE /api/rankings/42", ``},
		{opDelete, wire.KindQuicklink, "DELETE /api/quicklinks/42", ``},
		{opDelete, wire.KindBanner, "DELETE /api/banners/42", `{}`},
		{opDelete, wire.KindSynonyms, "DELETE /api/synonymsgroup?groupIds=42", ``},
	} {
		for _, status := range []int{200, 201, 202, 204} { // any 2xx is success
			s := newService(t, answers(status, test.answers))
			tools := newTools(t, s.URL)
			if status == 204 && test.op != opDelete {
				continue // which has no body
			}
			got, err := tools.try(t.Context(), test.op, test.kind, `{"id":3,"x": 1.0}`)
			want := strings.TrimPrefix(test.answers, `[{"groupId":41},`)
			switch test.op {
			case opGet:
				want = strings.TrimSuffix(want, "]")
			case opDelete:
				want = ""
			}
			seen := s.seen()[0]
			name := fmt.Sprintf("%s %s as %d", test.op, test.kind, status)
			if line := strings.TrimSuffix(seen.Method+" "+seen.Path+"?"+seen.Query, "?"); line != test.want || len(s.seen()) != 1 {
				t.Errorf("%s: %d calls, %s", name, len(s.seen()), line)
			}
			if err != nil || string(got) != want {
				t.Errorf("%s: %s, %v", name, got, err)
			}
			sends := test.op == opCreate || test.op == opReplace
			if json := seen.Header.Get("Content-Type"); (json == "application/json") != sends || (seen.Body != "") != sends {
				t.Errorf("%s: %q %s", name, json, seen.Body)
			}
			if user, key, _ := (&http.Request{Header: seen.Header}).BasicAuth(); user != fmt.Sprint(testCustomer) || key != testKey {
				t.Errorf("%s: not authorised by Basic", name)
			}
		}
	}
}

// What is read and written again is the same byte for byte, except what only answers
// hold and what was changed.
func TestReadModifyWrite(t *testing.T) {
	const audiences = `[ {"Id": 7.10, "rule":"a\/b <&> \u00e9 é", "n":12345678901234567890, "e":1E5, "id":1} ]`
	for kind, rest := range map[wire.Kind]string{
		wire.KindRanking:   `"WebsiteId":7,"pages":[ {"rank":1,"own":{"id":2},"page":{"pageurl":"https://a.example/?a=1&b=<2>"}} ],"rankingterms":[]`,
		wire.KindQuicklink: `"websiteid":7,"url":"https://a.example/","terms":[ {"name":"x"} ]`,
		wire.KindBanner:    `"websiteid":7,"htmlcode":"<b>\u0026</b>","isDisabled":false,"from":"2026-01-01T00:00:00+01:00","to":null`,
	} {
		dropped := ""
		for _, key := range kind.ResponseOnly() {
			dropped += fmt.Sprintf(`%q:[8],`, strings.ToUpper(key))
		}
		kept := fmt.Sprintf(`"audiences":%s,"x-un\u006bnown":{"b": 1,"a": 2.50},%s`, audiences, rest)
		s := newService(t, answers(200, `{"id":42,`+dropped+`"name":"old", `+kept+`}`))
		tools := newTools(t, s.URL)
		read := func() wire.Object {
			raw, err := tools.Get(t.Context(), kind, 42)
			o, parseErr := wire.ParseObject(raw)
			if err != nil || parseErr != nil {
				t.Fatal(err, parseErr)
			}
			return o
		}
		changed := read()
		changed.Set("name", []byte(`"new"`))
		_, replaceErr := tools.Replace(t.Context(), kind, 42, changed.Bytes())
		_, createErr := tools.Create(t.Context(), kind, changed.Bytes())
		if replaceErr != nil || createErr != nil {
			t.Fatal(kind, replaceErr, createErr)
		}
		for _, sent := range s.seen()[1:] {
			if want := `{"name":"new",` + kept + `}`; sent.Body != want {
				t.Errorf("%s %s:\n got %s\nwant %s", sent.Method, kind, sent.Body, want)
			}
		}
	}
	s := newService(t, answers(200, `{"groupId":42}`))
	_, err := newTools(t, s.URL).Replace(t.Context(), wire.KindSynonyms, 42, []byte(`{"groupid":1,"words":["a"],"language":"en"}`))
	if got := s.seen()[0].Body; err != nil || got != `{"words":["a"],"language":"en","groupId":42}` {
		t.Errorf("%s, %v", got, err)
	}
}

func kindOfError(err error) Kind {
	var failure *Error
	if !errors.As(err, &failure) {
		return ""
	}
	return failure.Kind
}

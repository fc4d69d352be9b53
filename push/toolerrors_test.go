package push

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"sitesync/internal/wire"
)

// Section 7, by shape first: whatever the status, the body decides.
func TestToolErrors(t *testing.T) {
	any4 := []int{200, 400, 404, 409, 422, 500, 503}
	for _, test := range []struct {
		op       string
		kind     wire.Kind
		statuses []int
		body     string
		want     Kind
		text     string
	}{
		{opCreate, wire.KindRanking, []int{200, 400, 422}, `{"message":"The request could not be processed"}`, KindInvalid, "The request could not be processed; nothing of this call"},
		{opCreate, wire.KindRanking, any4, `{"pages[1].page.pageurl":["is required","is no URL"],"name":["is required"]}`, KindFields,
			"name: is required; pages[1].page.pageurl: is required, is no URL; nothing of this call was accepted: correct these fields"},
		{opReplace, wire.KindQuicklink, any4, `{"Url":["is required"]}`, KindFields, "Url: is required"},
		{opCreate, wire.KindBanner, any4, `{"message":"unauthorized"}`, KindUnauthorised, "IDs below 10,000,000 belong to the EU"},
		{opDelete, wire.KindSynonyms, any4, `{"Message":"Unauthorized"}`, KindUnauthorised, "push.api_key"},
		{opReplace, wire.KindRanking, any4, `{"Message":"Site ID does not match customer ID"}`, KindMismatch, "push.engine_id"},
		{opDelete, wire.KindBanner, any4, `{"failed":1,"reason":"it is locked"}`, KindFailed, "it is locked; it is still there"},
		{opGet, wire.KindBanner, any4, `{"status":"InternalServerError","code":500,"messages":["Unexpected.","Reference 8c1d-44f0"]}`, KindServer, "Reference 8c1d-44f0"},
		{opGet, wire.KindRanking, []int{404, 410}, `{"message":"nothing here"}`, KindNotFound, "may have been deleted there"},
		{opReplace, wire.KindRanking, []int{404}, `{"message":"nothing here"}`, KindNotFound, ""},
		{opDelete, wire.KindBanner, []int{200, 400, 409}, `{"message":"Banner 42 does not exist"}`, KindNotFound, ""},
		{opDelete, wire.KindSynonyms, []int{404}, `{"Message":"gone"}`, KindNotFound, ""},
		{opReplace, wire.KindRanking, []int{200, 400}, `{"message":"page 3 was not found"}`, KindInvalid, "page 3"},
		{opGet, wire.KindRanking, []int{404}, `<html>`, KindUnknown, "push.base_url"},
		{opGet, wire.KindRanking, []int{405}, ``, KindUnknown, "push.base_url"},
		{opCreate, wire.KindBanner, []int{404, 405}, `{"message":"nothing here"}`, KindUnknown, ""},
		{opGet, wire.KindRanking, []int{200}, `{"id":43}`, KindUnknown, "holds no ranking with the ID 42"},
		{opGet, wire.KindBanner, []int{200}, `{}`, KindUnknown, ""},
		{opGet, wire.KindBanner, []int{200}, `{"id":42`, KindUnknown, ""},
		{opList, wire.KindBanner, []int{200}, `{"id":42}`, KindUnknown, "no list"},
		{opList, wire.KindBanner, []int{200}, `null`, KindUnknown, "no list"},
		{opCreate, wire.KindQuicklink, []int{404, 405, 410, 501}, ``, KindNotOffered, "by hand"},
		{opList, wire.KindQuicklink, []int{404, 405, 410}, `{"message":"x"}`, KindNotOffered, ""},
		{opList, wire.KindRanking, []int{404}, ``, KindNotOffered, ""},
		{opDelete, wire.KindRanking, []int{405, 501}, `{"Message":"no method DELETE"}`, KindNotOffered, ""},
		{opGet, wire.KindSynonyms, []int{200}, `[]`, KindNotOffered, ""},
		{opDelete, wire.KindRanking, []int{403}, ``, KindUnauthorised, ""},
		{opDelete, wire.KindRanking, []int{404, 405, 501}, `{"message":"unauthorized"}`, KindUnauthorised, ""},
		{opCreate, wire.KindQuicklink, []int{404, 405, 501}, `{"url":["is required"]}`, KindFields, ""},
		{opCreate, wire.KindQuicklink, []int{400}, `{"message":"bad"}`, KindInvalid, ""},
	} {
		for _, status := range test.statuses {
			s := newService(t, answers(status, test.body))
			got, err := newTools(t, s.URL).try(t.Context(), test.op, test.kind, `{}`)
			name := fmt.Sprintf("%s %s: %d %s", test.op, test.kind, status, test.body)
			if kindOfError(err) != test.want || !strings.Contains(err.Error(), test.text) || got != nil {
				t.Errorf("%s: %s, %v", name, got, err)
				continue
			}
			if !strings.HasPrefix(err.Error(), test.op+" "+string(test.kind)+" "+s.URL) {
				t.Errorf("%s: it does not say which call: %v", name, err)
			}
		}
	}
}

// byPath answers calls by method and path, 404 with words everywhere else.
func byPath(known map[string]string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, found := known[r.Method+" "+r.URL.Path]
		if !found {
			w.WriteHeader(http.StatusNotFound)
			body = `{"message":"nothing is served at this path"}`
		}
		_, _ = fmt.Fprint(w, body)
	}
}

// A 404 to an operation beyond the specification means the ID or the operation; a
// read tells which, or nothing is claimed.
func TestMissingIDOrMissingOperation(t *testing.T) {
	for _, test := range []struct {
		op    string
		kind  wire.Kind
		known map[string]string
		want  Kind
	}{
		{opDelete, wire.KindRanking, map[string]string{"GET /api/rankings/42": `{"id":42}`}, KindNotOffered},
		{opDelete, wire.KindRanking, nil, KindNotFound},
		{opDelete, wire.KindRanking, map[string]string{"GET /api/rankings/42": `odd`}, KindUnknown},
		{opReplace, wire.KindBanner, map[string]string{"GET /api/banners/42": `{"id":42}`}, KindNotOffered},
		{opReplace, wire.KindBanner, nil, KindNotFound},
		{opGet, wire.KindSynonyms, nil, KindNotOffered},
		{opGet, wire.KindSynonyms, map[string]string{"GET /api/synonymsgroup/en": `[]`}, KindNotFound},
		{opGet, wire.KindSynonyms, map[string]string{"GET /api/synonymsgroup/en": `odd`}, KindUnknown},
		{opReplace, wire.KindSynonyms, nil, KindNotOffered},
		{opReplace, wire.KindSynonyms, map[string]string{"GET /api/synonymsgroup/42": `{"groupId":42}`}, KindNotOffered},
		{opReplace, wire.KindSynonyms, map[string]string{"GET /api/synonymsgroup/en": `[]`}, KindNotFound},
	} {
		s := newService(t, byPath(test.known))
		_, err := newTools(t, s.URL).try(t.Context(), test.op, test.kind, `{}`)
		if kindOfError(err) != test.want {
			t.Errorf("%s %s, %v: %v", test.op, test.kind, test.known, err)
		}
	}
}

// A create is never repeated after a try that may have been carried out, and says so;
// the others are, and say what the last try said.
func TestCreatesAreNotRepeatedBlindly(t *testing.T) {
	done := answers(200, `{"id":42,"groupId":42}`)
	for _, test := range []struct {
		name  string
		first http.HandlerFunc
		doubt bool // else a create is repeated as well
	}{
		{"reset", resets, true},
		{"broken off", breaksOff, true},
		{"500", answers(500, `{"message":"x"}`), true},
		{"503", answers(503, ``), true},
		{"server error as 200", answers(200, `{"status":"InternalServerError","code":500,"messages":["x"]}`), true},
		{"429", answers(429, ``), false},
	} {
		for _, kind := range wire.Kinds() {
			s := newService(t, test.first, done)
			_, err := newTools(t, s.URL).Create(t.Context(), kind, []byte(`{}`))
			checkDoubt(t, test.name, kind, err, test.doubt)
			if calls := len(s.seen()); (calls == 1) != test.doubt {
				t.Errorf("%s, create %s: %d calls, %v", test.name, kind, calls, err)
			}
			for _, op := range []string{opReplace, opDelete} {
				s := newService(t, test.first, done)
				if _, err := newTools(t, s.URL).try(t.Context(), op, kind, `{}`); err != nil || len(s.seen()) != 2 {
					t.Errorf("%s, %s %s: %d calls, %v", test.name, op, kind, len(s.seen()), err)
				}
			}
		}
	}
	for _, body := range []string{``, `{}`, `{"id":0}`, `{"id":"new"}`, `{"id":99999999999999999999}`, `[]`, `{"id":42`} {
		_, err := newTools(t, newService(t, answers(200, body)).URL).Create(t.Context(), wire.KindBanner, []byte(`{}`))
		checkDoubt(t, "without an ID: "+body, wire.KindBanner, err, true)
	}
}

func checkDoubt(t *testing.T, name string, kind wire.Kind, err error, doubt bool) {
	t.Helper()
	var failure *Error
	if errors.As(err, &failure) != doubt {
		t.Errorf("%s: %v", name, err)
	}
	if doubt && (!failure.MayHaveRun() || !strings.Contains(err.Error(), "it may have been created") || !strings.Contains(err.Error(), "sitesync tools import "+string(kind))) {
		t.Errorf("%s: %v", name, err)
	}
}

// A create that could not even connect is tried again and leaves no doubt; one that is
// interrupted leaves some, one that ended before it began none.
func TestDoubtIsOnlyWhereThereCanBeSome(t *testing.T) {
	s := newService(t, hangs)
	tools := newTools(t, s.URL)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.script = []http.HandlerFunc{func(_ http.ResponseWriter, r *http.Request) { cancel(); <-r.Context().Done() }}
	_, err := tools.Create(ctx, wire.KindBanner, []byte(`{}`))
	checkDoubt(t, "interrupted", wire.KindBanner, err, true)
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	var failure *Error
	_, err = tools.Create(ctx, wire.KindBanner, []byte(`{}`))
	if !errors.Is(err, context.Canceled) || !errors.As(err, &failure) || failure.MayHaveRun() || len(s.seen()) != 1 {
		t.Errorf("over before: %v", err)
	}
	s.Close()
	_, err = tools.Create(t.Context(), wire.KindBanner, []byte(`{}`))
	if !errors.As(err, &failure) || failure.Kind != KindNetwork || failure.MayHaveRun() {
		t.Errorf("no connection: %v", err)
	}
}

// What is gone after a delete that may have been carried out was deleted by it.
func TestDeleteAfterDoubt(t *testing.T) {
	gone := answers(404, `{"message":"no such ID"}`)
	for _, kind := range wire.Kinds() {
		if err := newTools(t, newService(t, resets, gone).URL).Delete(t.Context(), kind, 42); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		if err := newTools(t, newService(t, answers(429, ``), gone).URL).Delete(t.Context(), kind, 42); kindOfError(err) != KindNotFound {
			t.Errorf("%s, without doubt: %v", kind, err)
		}
	}
}

// An accepted replacement without an answer to show for it is read.
func TestReplaceWithoutAnAnswer(t *testing.T) {
	s := newService(t, answers(204, ``), answers(200, `{"id":42,"name":"b"}`))
	got, err := newTools(t, s.URL).Replace(t.Context(), wire.KindBanner, 42, []byte(`{}`))
	if err != nil || string(got) != `{"id":42,"name":"b"}` {
		t.Errorf("%s, %v", got, err)
	}
	_, err = newTools(t, newService(t, answers(200, ``)).URL).Replace(t.Context(), wire.KindRanking, 42, []byte(`{}`))
	var failure *Error
	if !errors.As(err, &failure) || failure.Kind != KindUnknown || !failure.MayHaveRun() || failure.NotFound() || failure.NotOffered() {
		t.Error(err)
	}
}

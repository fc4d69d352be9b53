package cli

import (
	"errors"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/service"
	"sitesync/internal/testsite/strike"
	"sitesync/internal/wire"
	"sitesync/push"
)

// toolsClient returns the client of search tools of a local service of its own.
func toolsClient(t *testing.T, o service.Options) (*strike.Panel, *push.Tools) {
	t.Helper()
	o.Path, o.APIKey = filepath.Join(t.TempDir(), "service.db"), "key"
	s, err := service.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	panel := strike.New(s)
	panel.Extended = o.Extended
	server := httptest.NewServer(panel)
	t.Cleanup(func() { server.Close(); s.Close() })
	tools, err := push.NewTools(push.Options{
		BaseURL: server.URL, Customer: 5, Engine: 7, Key: "key",
		Backoff: func() backoff.BackOff { return &backoff.ZeroBackOff{} },
	})
	if err != nil {
		t.Fatal(err)
	}
	return panel, tools
}

func toolBodies() map[wire.Kind]string {
	return map[wire.Kind]string{
		wire.KindRanking: `{"name":"a","WebsiteId":7,"pages":[{"rank":1,"showpage":true,"page":{"pageurl":"https://a.example/"}}],
			"rankingterms":[{"name":"x"}],"audiences":[ {"a":1.0} ],"id":9}`,
		wire.KindQuicklink: `{"url":"https://a.example/","websiteid":7,"terms":[{"name":"x"}]}`,
		wire.KindBanner: `{"name":"a","htmlcode":"<b>","websiteid":7,"bannerterms":[{"name":"x"}],"isDisabled":true,
			"from":"2026-01-01T00:00:00Z","to":"2026-02-01T00:00:00Z","audiences":[ {"a":1.0} ]}`,
		wire.KindSynonyms: `{"words":["a","b"],"language":"en"}`,
	}
}

// Every operation on every kind, with and without those beyond the specification: each
// letter is one call's end. o: done, n: not offered, m: no such ID, f: field errors, i: invalid.
func TestToolsClientMeetsTheLocalService(t *testing.T) {
	letters := map[push.Kind]string{"": "o", push.KindNotOffered: "n", push.KindNotFound: "m", push.KindFields: "f", push.KindInvalid: "i"}
	for _, test := range []struct {
		kind           wire.Kind
		plain, further string // create, get, replace, list, delete, then delete, get, replace, create {}
	}{
		{wire.KindRanking, "ooon" + "n" + "noof", "oooo" + "o" + "mmmf"},
		{wire.KindQuicklink, "nmmn" + "m" + "mmmn", "oooo" + "o" + "mmmf"},
		{wire.KindBanner, "oonn" + "o" + "mmnf", "oooo" + "o" + "mmmf"},
		{wire.KindSynonyms, "onnn" + "o" + "mnni", "ooon" + "o" + "mmmi"},
	} {
		for _, extended := range []bool{false, true} {
			_, tools := toolsClient(t, service.Options{Extended: extended})
			ctx, body, got := t.Context(), []byte(toolBodies()[test.kind]), ""
			note := func(err error) {
				var failure *push.Error
				if err != nil && !errors.As(err, &failure) {
					t.Error(err)
				}
				kind := push.Kind("")
				if failure != nil {
					kind = failure.Kind
				}
				got += letters[kind]
			}
			_, err := tools.Create(ctx, test.kind, body)
			note(err)
			read, err := tools.Get(ctx, test.kind, 1)
			note(err)
			if err == nil && strings.Contains(string(body), "audiences") && !strings.Contains(string(read), `"audiences":[ {"a":1.0} ]`) {
				t.Errorf("%s: read %s", test.kind, read)
			}
			_, err = tools.Replace(ctx, test.kind, 1, body)
			note(err)
			_, err = tools.List(ctx, test.kind, "")
			note(err)
			note(tools.Delete(ctx, test.kind, 1))
			note(tools.Delete(ctx, test.kind, 1))
			_, err = tools.Get(ctx, test.kind, 1)
			note(err)
			_, err = tools.Replace(ctx, test.kind, 1, body)
			note(err)
			_, err = tools.Create(ctx, test.kind, []byte(`{}`))
			note(err)
			if want := map[bool]string{false: test.plain, true: test.further}[extended]; got != want {
				t.Errorf("%s, extended %t: %s, want %s", test.kind, extended, got, want)
			}
		}
	}
}

// A create whose answer is lost is made once and reported as doubtful; a delete whose
// answer is lost is made twice and done.
func TestToolsClientLosesAnAnswer(t *testing.T) {
	panel, tools := toolsClient(t, service.Options{Extended: true})
	drop := strike.Fault{Times: 1, At: strike.After, Drop: true}
	panel.Set(drop)
	_, err := tools.Create(t.Context(), wire.KindBanner, []byte(toolBodies()[wire.KindBanner]))
	var failure *push.Error
	if !errors.As(err, &failure) || !failure.MayHaveRun() {
		t.Errorf("create: %v", err)
	}
	if all, err := tools.List(t.Context(), wire.KindBanner, ""); err != nil || len(all) != 1 {
		t.Errorf("%s, %v", all, err)
	}
	panel.Set(drop)
	if err := tools.Delete(t.Context(), wire.KindBanner, 1); err != nil {
		t.Errorf("delete: %v", err)
	}
}

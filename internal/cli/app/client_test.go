package app

import (
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"testing"

	"sitesync/internal/config"
)

// TestServing reads the flags of serve; what is wrong is an error of usage.
func TestServing(t *testing.T) {
	good := Serving{
		Extended: true, Origins: []string{"https://www.example.com"}, Hosts: []string{"search.example.com"},
		Feeds: []string{"7=news", "7=a=b", "8=news"}, Crawlers: []string{"news=active", "a=b=inactive"},
	}
	o, active, err := good.options(1)
	feeds := map[int64][]string{7: {"news", "a=b"}, 8: {"news"}}
	if err != nil || !o.Extended || !reflect.DeepEqual(o.Feeds, feeds) || !reflect.DeepEqual(o.Origins, good.Origins) || !reflect.DeepEqual(o.Hosts, good.Hosts) {
		t.Errorf("got %+v, %v", o, err)
	}
	if !maps.Equal(active, map[string]bool{"news": true, "a=b": false}) {
		t.Errorf("got %v", active)
	}
	for _, wrong := range []Serving{
		{Origins: []string{"https://*.example.com"}}, {Hosts: []string{"*"}},
		{Feeds: []string{"news"}}, {Feeds: []string{"x=news"}}, {Feeds: []string{"-1=news"}}, {Feeds: []string{"7="}},
		{Crawlers: []string{"news"}}, {Crawlers: []string{"=active"}}, {Crawlers: []string{"news=Active"}}, {Crawlers: []string{"active"}},
	} {
		_, _, err := wrong.options(1)
		if ExitCode(t.Context(), err) != ExitUsage {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// TestServingItsOwner: what other machines may reach lets in the configured customer
// alone.
func TestServingItsOwner(t *testing.T) {
	for listen, want := range map[string]int{"127.0.0.1:0": 404, "localhost:0": 404, "[::1]:0": 404, "0.0.0.0:0": 401, ":0": 401, "192.0.2.1:0": 401} {
		cfg := config.Default()
		cfg.Push.BaseURL, cfg.Push.CustomerID, cfg.Push.APIKey = "local", 10000001, "chosen"
		cfg.Serve.Path = filepath.Join(t.TempDir(), "service.db")
		local, err := (&Serving{Listen: listen}).open(&App{Stderr: io.Discard}, &cfg)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:7373/api/nothing", nil)
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 7373})))
		r.SetBasicAuth("5", "chosen")
		answer := httptest.NewRecorder()
		local.ServeHTTP(answer, r)
		if answer.Code != want {
			t.Errorf("%s: another customer got %d, want %d", listen, answer.Code, want)
		}
		if err := local.Close(); err != nil {
			t.Error(err)
		}
	}
}

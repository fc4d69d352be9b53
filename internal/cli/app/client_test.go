package app

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"

	"github.com/spf13/cobra"

	"sitesync/internal/config"
)

// TestServing reads the flags of serve; what is wrong is an error of usage.
func TestServing(t *testing.T) {
	read := func(args ...string) (f Serving, err error) {
		cmd := &cobra.Command{}
		f.Flags(cmd)
		if err := cmd.ParseFlags(args); err != nil {
			return f, FlagError(cmd, err)
		}
		return f, nil
	}
	got, err := read("--extended", "--origin=https://www.example.com", "--host=search.example.com")
	if err != nil || !got.Extended || !slices.Equal(got.Origins, []string{"https://www.example.com"}) || !slices.Equal(got.Hosts, []string{"search.example.com"}) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, wrong := range []string{"--origin=https://*.example.com", "--host=*"} {
		if _, err := read(wrong); ExitCode(t.Context(), err) != ExitUsage {
			t.Errorf("%s: %v", wrong, err)
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
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:7373/api/rankings/1", nil)
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

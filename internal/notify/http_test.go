package notify_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"sitesync/internal/notify"
)

// The hook can verify, by what docs/notify.md says, who sent what it got; it is tried once
// more where the server fails.
func TestHook(t *testing.T) {
	tries := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tries++
		body, err := io.ReadAll(r.Body)
		if err != nil || !json.Valid(body) || r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" || r.UserAgent() != "sitesync/test" {
			t.Errorf("%s %v: %s, %v", r.Method, r.Header, body, err)
		}
		match := regexp.MustCompile(`^t=([0-9]+),v1=([0-9a-f]{64})$`).FindStringSubmatch(r.Header.Get(notify.SignatureHeader))
		if match == nil {
			t.Fatalf("%v", r.Header)
		}
		for key, want := range map[string]bool{secret: true, "another": false} {
			mac := hmac.New(sha256.New, []byte(key))
			_, _ = io.WriteString(mac, match[1]+"."+string(body))
			if got := hex.EncodeToString(mac.Sum(nil)) == match[2]; got != want {
				t.Errorf("the signature is right with %q: %v", key, got)
			}
		}
		if tries == 1 {
			w.WriteHeader(http.StatusBadGateway)
		}
	}))
	defer server.Close()
	n := &notify.Notifier{Hook: server.URL + "/" + url.PathEscape(secret), HookSecret: secret, UserAgent: "sitesync/test"}
	if err := fault(n.Send(t.Context(), message())); err != nil || tries != 2 {
		t.Errorf("%d tries, %v", tries, err)
	}
}

// What can't be told is an error without a secret, and goes nowhere else.
func TestCallsFail(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("got %s %v", r.URL, r.Header) }))
	defer elsewhere.Close()
	for name, test := range map[string]struct {
		status, tries int
		want          string
	}{
		"down": {http.StatusServiceUnavailable, 2, "answered with HTTP status 503"}, "busy": {http.StatusTooManyRequests, 2, "answered with HTTP status 429"},
		"gone": {http.StatusGone, 1, "answered with HTTP status 410"}, "moved": {http.StatusTemporaryRedirect, 1, "answered with HTTP status 307"},
		"hangs": {0, 1, "context canceled"},
	} {
		t.Run(name, func(t *testing.T) {
			for key, call := range map[string]func(context.Context, *notify.Notifier) error{
				"notify.hook": func(ctx context.Context, n *notify.Notifier) error { n.Ping = ""; return fault(n.Send(ctx, message())) },
				"notify.ping": func(ctx context.Context, n *notify.Notifier) error { return n.Alive(ctx, true) },
			} {
				ctx, cancel := context.WithCancel(t.Context())
				tries := 0
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					tries++
					_, _ = io.Copy(io.Discard, r.Body)
					if test.status == 0 {
						cancel()
						<-r.Context().Done()
						return
					}
					w.Header().Set("Location", elsewhere.URL+"/"+r.URL.Path)
					w.WriteHeader(test.status)
				}))
				address := server.URL + "/" + url.PathEscape(secret)
				err := call(ctx, &notify.Notifier{Hook: address, HookSecret: secret, Ping: address})
				cancel()
				server.Close()
				if err == nil || !strings.HasPrefix(err.Error(), key+": ") || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "canary") || tries != test.tries {
					t.Errorf("%d tries, %v", tries, err)
				}
			}
		})
	}
	if err := (&notify.Notifier{Ping: "http://127.0.0.1/canary\x01"}).Alive(t.Context(), false); err == nil || strings.Contains(err.Error(), "canary") {
		t.Error(err)
	}
}

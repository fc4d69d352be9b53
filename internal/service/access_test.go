package service

import (
	"bytes"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
)

// TestCredentials covers what the conformance suite can't: our own paths, the
// catch-all that a credentials check reads, and a service for one customer.
func TestCredentials(t *testing.T) {
	const own = "/_/crawlers/10000001/crawler-1/documents"
	tests := []struct {
		only            int64
		path, user, key string
		want            int
	}{
		{0, "/api/rankings/0", "10000001", testKey, 404},
		{0, "/api/rankings/0", "10000001", "wrong", 401},
		{0, "/api/rankings/0", "", "", 401},
		{0, "/api/rankings/0", "someone", testKey, 401},
		{0, "/api/rankings/0", "0", testKey, 401},
		{0, "/api/rankings/0", "-10000001", testKey, 401},
		{0, "/api/rankings/0", "+10000001", testKey, 401},
		{0, "/api/rankings/0", "010000001", testKey, 401},
		{0, own, "0", testKey, 401},
		{10000001, "/api/rankings/0", "10000001", testKey, 404},
		{10000001, "/api/rankings/0", "10000002", testKey, 401},
		{0, own, "10000001", testKey, 200},
		{0, own, "10000002", testKey, 401},
		{0, own, "10000001", "", 401},
	}
	for _, test := range tests {
		l := open(t, Options{CustomerID: test.only})
		authorization := ""
		if test.user != "" {
			authorization = basic(test.user, test.key)
		}
		got := l.as(authorization, "GET", test.path, "")
		if got.status != test.want || (got.status == 401) != (got.header.Get("WWW-Authenticate") != "") {
			t.Errorf("%s as %q with only %d let in: want %d, got %+v", test.path, test.user, test.only, test.want, got)
		}
	}
}

func TestEncodedBodyIsRefused(t *testing.T) {
	l := open(t, Options{})
	req := l.request(http.MethodPut, documents, `[]`)
	req.Header.Set("Content-Encoding", "gzip")
	if got := l.send(req); got.status != http.StatusUnsupportedMediaType {
		t.Errorf("want 415, got %+v", got)
	}
}

// TestOffLoopback: a well-known key and an address that others reach exclude each other.
func TestOffLoopback(t *testing.T) {
	l := open(t, Options{})
	running, err := l.Start("0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := running.Close(); running.Loopback || err != nil {
		t.Fatalf("on loopback alone: %v, %v", running.Loopback, err)
	}
	l = open(t, Options{LoopbackOnly: true})
	for _, address := range []string{":0", "0.0.0.0:0", "[::]:0"} {
		if _, err := l.Start(address); !errors.Is(err, ErrLoopbackOnly) {
			t.Errorf("started at %s with a well-known key: %v", address, err)
		}
	}
}

// TestWrongCustomerIsTold: of a customer ID that is not that of the address in the log, where
// strangers without the key can't write.
func TestWrongCustomerIsTold(t *testing.T) {
	var log bytes.Buffer
	l := open(t, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	const path, told = "/api/v4/10000002/7/search", "its customer ID is not that of the address"
	if got := l.as(basic("10000001", "wrong"), "POST", path, `{"query":"*"}`); got.status != 401 || log.Len() != 0 {
		t.Errorf("a stranger: %+v, %s", got, &log)
	}
	if got := l.as(rightBasic, "POST", path, `{"query":"*"}`); got.status != 401 || !strings.Contains(log.String(), told) {
		t.Errorf("want 401 and a warning, got %+v, %s", got, &log)
	}
}

package testsite

import (
	"context"
	"errors"
	"maps"
	"testing"
)

func TestLog(t *testing.T) {
	s := newSite(t)
	s.HTML("/", "Home", "")
	get(t, s.URL()+"/", "User-Agent", "sitesync/1", "Authorization", "Basic dTpw")
	get(t, s.URL()+"/a%2Fb?x")
	get(t, s.URL()+"/a%2Fb?x")

	requests := s.Requests()
	if len(requests) != 3 {
		t.Fatalf("got %d requests", len(requests))
	}
	first := requests[0]
	if first.Method != "GET" || first.URI != "/" || "http://"+first.Host != s.URL() || first.Status != 200 ||
		first.Header.Get("User-Agent") != "sitesync/1" || first.Header.Get("Authorization") != "Basic dTpw" {
		t.Errorf("first request: %+v", first)
	}
	if requests[1].Status != 404 {
		t.Errorf("second request: %+v", requests[1])
	}
	if got, want := s.Counts(), map[string]int{"/": 1, "/a%2Fb?x": 2}; !maps.Equal(got, want) || s.Count("/a%2Fb?x") != 2 || s.Count("/a/b?x") != 0 {
		t.Errorf("counts: got %v, want %v", got, want)
	}
	s.Reset()
	if len(s.Requests()) != 0 || s.Count("/") != 0 {
		t.Error("reset left requests")
	}
}

func TestAwait(t *testing.T) {
	s := newSite(t)
	done := make(chan error)
	go func() { done <- s.Await(t.Context(), "/b", 2) }()
	for _, path := range []string{"/b", "/a", "/b"} {
		get(t, s.URL()+path)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Await(ctx, "/b", 3); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

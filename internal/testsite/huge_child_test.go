package testsite

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestStartHuge(t *testing.T) {
	child, err := StartHuge(t.Context(), HugeOptions{Pages: 50})
	if err != nil {
		t.Fatal(err)
	}
	path := HugePath(7)
	old := get(t, child.URL+path)
	if want := NewHuge(HugeOptions{Pages: 50}).Page(child.URL, 7); old.body != string(want) {
		t.Errorf("got %d and %d bytes, want the page of %d bytes", old.status, len(old.body), len(want))
	}
	if err := child.Bump(7, 8); err != nil {
		t.Fatal(err)
	}
	if got := get(t, child.URL+path, "If-None-Match", old.header.Get("ETag")); got.status != 200 || got.body == old.body {
		t.Errorf("a changed page answered %d", got.status)
	}
	if s, err := child.Stats(); err != nil || s.Pages != 1 || s.Repeated != 1 || s.Requests != 2 {
		t.Errorf("got %+v, %v", s, err)
	}
	if err := child.Reset(); err != nil {
		t.Fatal(err)
	}
	if s, err := child.Stats(); err != nil || s != (Stats{}) {
		t.Errorf("after a reset: %+v, %v", s, err)
	}
	if used, err := child.Close(); err != nil || used <= 0 {
		t.Errorf("ended after %v of processor time, %v", used, err)
	}
	if _, err := ask(t, child.URL+"/"); err == nil {
		t.Error("the child serves on after Close")
	}
}

func TestStartHugeEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	child, err := StartHuge(ctx, HugeOptions{Pages: 1})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := child.Close(); err == nil {
		t.Error("a child that was killed ended well")
	}
	if _, err := child.Stats(); err == nil {
		t.Error("an ended child answered")
	}
}

func TestStartHugeNeedsMaybeServe(t *testing.T) {
	t.Setenv(childVariable, "{}")
	if _, err := StartHuge(t.Context(), HugeOptions{}); err == nil || !strings.Contains(err.Error(), "MaybeServe") {
		t.Errorf("got %v", err)
	}
}

func TestServeHuge(t *testing.T) {
	var out bytes.Buffer
	if err := serveHuge(`{"Pages":3}`, strings.NewReader("stats\n"), &out); err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(out.String(), "\n"); len(got) != 3 || !strings.HasPrefix(got[0], "http://127.0.0.1:") || !strings.HasPrefix(got[1], `{"Requests":0`) {
		t.Errorf("got %q", got)
	}
	if err := serveHuge("pages=3", strings.NewReader(""), &out); err == nil {
		t.Error("wrong options gave no error")
	}
}

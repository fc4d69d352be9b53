package chrome

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// testSite answers every request by itself.
type testSite func(ctx context.Context, req *http.Request) (*Answer, error)

func (s testSite) Fetch(ctx context.Context, req *http.Request) (*Answer, error) { return s(ctx, req) }

func (s testSite) Own(string) (own bool, forbidden string) { return true, "" }

const shell = `<!doctype html><title>Shop</title><div id="root"></div><script>
fetch("/data").then(got => got.text()).then(text => document.getElementById("root").textContent = text)
</script>`

func testPage(limit time.Duration) Page {
	return Page{URL: "http://shop.test/page", Header: http.Header{}, Body: []byte(shell), In: "utf-8", Limit: limit}
}

func TestFind(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "windows", "plan9"} {
		if len(browserNames(system)) == 0 {
			t.Errorf("nowhere to look on %s", system)
		}
	}
	t.Setenv("PATH", t.TempDir())
	if path, err := Find(""); runtime.GOOS == "linux" && err == nil && !strings.HasPrefix(path, "/snap/") {
		t.Errorf("found %s on an empty PATH", path)
	}
	if _, err := Find("/nowhere/chromium"); err == nil {
		t.Error("found what is not there")
	}
}

// A browser that dies with a page is started again for the next, and what belonged to one is
// gone with it.
func TestRenderSurvivesTheBrowser(t *testing.T) {
	if _, err := Find(""); err != nil {
		t.Skip(err)
	}
	temp, err := os.MkdirTemp("", "r") //nolint:usetesting // whose path is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	defer os.Remove(temp)
	t.Setenv("TMPDIR", temp)
	asked := make(chan bool, 1)
	asked <- true
	first := make(chan struct{})
	r := New(Options{NoSandbox: os.Geteuid() == 0, MaxBody: 1 << 20, Site: testSite(func(ctx context.Context, _ *http.Request) (*Answer, error) {
		select {
		case <-asked: // the first time it is deadly
			close(first)
			<-ctx.Done()
			return nil, ctx.Err()
		default:
			return &Answer{Status: http.StatusOK, Body: []byte("alive")}, nil
		}
	})})
	process := func() *os.Process {
		r.browser.mu.Lock()
		defer r.browser.mu.Unlock()
		return chromedp.FromContext(r.browser.ctx).Browser.Process()
	}
	killed := make(chan error, 1)
	go func() {
		<-first
		killed <- process().Kill()
	}()
	if _, _, err := r.Render(t.Context(), testPage(time.Minute)); err == nil || err.Error() != "Chromium ended while it had the page open" {
		t.Errorf("the page that was open: %v", err)
	}
	if err := <-killed; err != nil {
		t.Fatal(err)
	}
	if text, _, err := r.Render(t.Context(), testPage(time.Minute)); err != nil || !strings.Contains(text, ">alive<") {
		t.Errorf("the next page: %q, %v", text, err)
	}
	lives := process()
	r.Close()
	if err := lives.Signal(os.Interrupt); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("the browser outlives the crawl: %v", err)
	}
	if left, _ := filepath.Glob(temp + "/*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// A page that takes the memory of the machine loses its process, and no other page does.
func TestRenderBoundsMemory(t *testing.T) {
	if _, err := Find(""); err != nil || runtime.GOOS != "linux" {
		t.Skip(err)
	}
	r := New(Options{NoSandbox: os.Geteuid() == 0, Tabs: 2, MaxBody: 1 << 20, Memory: 256 << 20, Site: testSite(func(context.Context, *http.Request) (*Answer, error) {
		return &Answer{Status: http.StatusOK, Body: []byte("alive")}, nil
	})})
	defer r.Close()
	greedy := testPage(time.Minute)
	greedy.Body = []byte("<!doctype html><title>Greedy</title><script>const all = []; for (;;) if (all.length < 60) all.push(new Uint8Array(8e6).fill(1))</script>")
	if _, _, err := r.Render(t.Context(), greedy); err == nil || !strings.Contains(err.Error(), "crashed") {
		t.Errorf("the page that takes all: %v", err)
	}
	if text, _, err := r.Render(t.Context(), testPage(time.Minute)); err != nil || !strings.Contains(text, ">alive<") {
		t.Errorf("another page: %q, %v", text, err)
	}
}

// The connection of a browser is lost a moment before its context ends: it is started anew
// from then on.
func TestBrowserEndsWithItsConnection(t *testing.T) {
	ctx, cancel := chromedp.NewContext(t.Context())
	defer cancel()
	lost := make(chan struct{})
	chromedp.FromContext(ctx).Browser = &chromedp.Browser{LostConnection: lost}
	r := New(Options{Path: "/nowhere/chromium"})
	r.browser.ctx = ctx
	if got, err := r.browser.use(); got != ctx || err != nil {
		t.Errorf("a browser that runs is not used: %v", err)
	}
	close(lost)
	if _, err := r.browser.use(); !errors.Is(err, ErrNoBrowser) {
		t.Errorf("%v: a browser that is gone is used", err)
	}
}

// A browser that starts and says nothing holds nobody up who wants to leave.
func TestRenderStopsWhileTheBrowserStarts(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it takes a shell")
	}
	dir := t.TempDir()
	started, mute := filepath.Join(dir, "started"), filepath.Join(dir, "mute")
	script := fmt.Sprintf("#!/bin/sh\n: > %q\nexec sleep 1000\n", started)
	if err := os.WriteFile(mute, []byte(script), 0o700); err != nil { //nolint:gosec // it is to be run
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r := New(Options{Path: mute, NoSandbox: true})
	defer r.Close()
	go func() {
		for _, err := os.Stat(started); err != nil && t.Context().Err() == nil; _, err = os.Stat(started) {
			<-time.After(time.Millisecond)
		}
		cancel()
	}()
	if _, _, err := r.Render(ctx, testPage(time.Minute)); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
	if r.browser.life.Err() == nil {
		t.Error("it was waited for")
	}
}

// TestBounds: more requests than a page may make end it, and what is too large is not kept.
func TestBounds(t *testing.T) {
	over := &tab{asked: 5000, waiting: map[fetch.RequestID]string{}, over: true}
	ctx, cancel := context.WithCancelCause(t.Context())
	over.cancel = cancel
	over.event(&fetch.EventRequestPaused{Request: &network.Request{}})
	if err := context.Cause(ctx); err == nil || err.Error() != "it makes more than 5000 requests" {
		t.Errorf("5001 requests: %v", err)
	}
	shared := assets{kept: map[string]*Answer{}}
	for i, size := range []int{20 << 20, 13 << 20, 12 << 20, 1} {
		_, _ = shared.get(t.Context(), t.Context(), fmt.Sprint(i), func(context.Context) (*Answer, error) {
			return &Answer{Status: http.StatusOK, Body: make([]byte, size)}, nil
		})
	}
	if len(shared.kept) != 2 || shared.bytes != 32<<20 {
		t.Errorf("%d kept, %d bytes", len(shared.kept), shared.bytes)
	}
}

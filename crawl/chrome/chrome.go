package chrome

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// Site answers what pages ask for.
type Site interface {
	// Fetch makes a request and returns its whole answer. A Refusal is of one that the
	// configuration does not allow; the texts of all errors are for the owner.
	Fetch(ctx context.Context, req *http.Request) (*Answer, error)
	// Own reports whether an address belongs to the site, and why robots.txt keeps us
	// from it; empty when it does not.
	Own(url string) (own bool, forbidden string)
}

// Answer is what a request is answered with.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Refusal says that a request is not allowed, and what would allow it.
type Refusal interface {
	error
	Remedy() string
}

// Options says how pages are rendered.
type Options struct {
	Path      string // of Chromium; empty: looked up
	NoSandbox bool   // give the browser's sandbox up
	Tabs      int    // pages that are rendered at the same time
	MaxBody   int64  // bytes of a page (fetch.max_body); its answers may hold four times that
	Memory    int64  // bytes that a process of the browser may take; 0: 768 MiB
	Site      Site
}

// Renderer lets Chromium run the scripts of pages, which it starts for the first one.
type Renderer struct {
	opts    Options
	browser *browser
	tabs    chan struct{} // holds as many as there may be
	assets  assets
}

// New returns a renderer.
func New(o Options) *Renderer {
	b := &browser{path: o.Path, noSandbox: o.NoSandbox, memory: cmp.Or(o.Memory, mostMemory), close: func() {}}
	b.life, b.kill = context.WithCancel(context.Background())
	return &Renderer{opts: o, browser: b, tabs: make(chan struct{}, max(1, o.Tabs)), assets: assets{kept: map[string]*Answer{}}}
}

// Close ends the browser, if there is one, and waits until nothing of it is left.
func (r *Renderer) Close() {
	b := r.browser
	b.kill()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.close()
	b.ctx, b.close = nil, func() {}
}

// Page is a page as it was fetched.
type Page struct {
	URL    string
	Header http.Header
	Body   []byte
	In     string        // the body's encoding (WHATWG Encoding)
	Limit  time.Duration // how long it may take (fetch.timeout)
}

// Render returns the page's HTML once its scripts have come to rest, and what the
// owner should know of it. The error is ErrNoBrowser where there is no Chromium. The next
// page starts a browser that has ended again.
func (r *Renderer) Render(ctx context.Context, p Page) (text string, notes map[string]bool, err error) {
	select {
	case r.tabs <- struct{}{}:
		defer func() { <-r.tabs }()
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	// When the run is over nobody waits for a browser to start, or for tabs to close.
	defer context.AfterFunc(ctx, r.browser.kill)()
	browser, err := r.browser.use()
	if err != nil {
		return "", nil, cmp.Or(ctx.Err(), err)
	}
	t := &tab{renderer: r, page: p, changed: make(chan struct{}, 1), waiting: map[fetch.RequestID]string{}, notes: map[string]bool{}}
	text, err = t.render(ctx, browser)
	if err != nil && ended(browser) {
		err = errors.New("Chromium ended while it had the page open") //nolint:staticcheck // a name
	}
	return text, t.notes, cmp.Or(ctx.Err(), err)
}

const (
	browserStarts = 5                // after which one that keeps crashing is given up
	browserStart  = 30 * time.Second // until it answers
	longestTemp   = 35               // bytes of a folder in which its socket has room, of 104
)

// browser is the one Chromium of a crawl: started when the first page needs it,
// killed with its profile and its children at the end. It is safe for concurrent
// use.
type browser struct {
	path      string // fetch.browser
	noSandbox bool
	memory    int64
	life      context.Context
	kill      context.CancelFunc // ends the browser at once, and for good

	mu     sync.Mutex
	starts int
	ctx    context.Context // of the process; nil before the first
	close  func()          // frees all that belongs to it
	err    error           // why the last start failed
}

// use returns the context of a browser that runs. Tabs are children of it; it is
// done when the browser ends.
func (b *browser) use() (context.Context, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.life.Err() != nil:
		return nil, b.life.Err()
	case b.ctx != nil && !ended(b.ctx):
		return b.ctx, nil
	case b.starts < browserStarts:
		b.starts++
		b.close()
		b.ctx, b.close, b.err = b.start()
	case b.err == nil:
		b.err = errors.New("Chromium keeps crashing and is not started again") //nolint:staticcheck // a name
	}
	return b.ctx, b.err
}

// ended reports whether a browser is gone. Its calls fail once the connection is lost, and
// only then is its context cancelled.
func ended(browser context.Context) bool {
	select {
	case <-chromedp.FromContext(browser).Browser.LostConnection:
		return true
	default:
		return browser.Err() != nil
	}
}

func (b *browser) start() (_ context.Context, closeAll func(), err error) {
	nothing := func() {}
	path, err := Find(b.path)
	if err != nil {
		return nil, nothing, err
	}
	if os.Geteuid() == 0 && !b.noSandbox {
		return nil, nothing, errors.New("Chromium does not run as root with its sandbox: run sitesync as another user or set fetch.browser_sandbox = false") //nolint:staticcheck // a name
	}
	temp := os.TempDir()
	if runtime.GOOS != "windows" && len(temp) > longestTemp {
		temp = "/tmp"
	}
	home, err := os.MkdirTemp(temp, "sitesync-")
	if err != nil {
		return nil, nothing, fmt.Errorf("make a folder for Chromium: %w", err)
	}
	proxy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nothing, errors.Join(fmt.Errorf("listen for Chromium: %w", err), os.RemoveAll(home))
	}
	var beside sync.WaitGroup
	// The browser's proxy lets nothing through. What a page may have goes over the DevTools
	// protocol; whatever finds a way around that, such as a socket, ends here.
	beside.Go(func() {
		for conn, err := proxy.Accept(); err == nil; conn, err = proxy.Accept() {
			_ = conn.Close()
		}
	})
	life, end := context.WithCancel(b.life)
	allocator, endAllocator := chromedp.NewExecAllocator(life, b.flags(path, home, proxy.Addr())...)
	quiet := func(string, ...any) {}
	ctx, endBrowser := chromedp.NewContext(allocator, chromedp.WithLogf(quiet), chromedp.WithErrorf(quiet))
	closeAll = func() {
		end()
		endBrowser()
		endAllocator()
		_ = proxy.Close()
		beside.Wait()
		_ = os.RemoveAll(home) // of which nothing is worth an error
	}
	defer time.AfterFunc(browserStart, end).Stop()
	if _, err := chromedp.CallBrowser(ctx, cdpbrowser.GetVersion, cdp.Empty{}); err != nil {
		closeAll()
		return nil, nothing, fmt.Errorf("start %s: %.400s", path, strings.Join(strings.Fields(err.Error()), " "))
	}
	beside.Go(func() { watchMemory(ctx, chromedp.FromContext(ctx).Browser.Process().Pid, b.memory) })
	return ctx, closeAll, nil
}

// flags are the command line and the environment: nothing of ours but what a
// program needs to run, no network but a proxy that refuses all, nothing that
// Chromium does by itself.
func (b *browser) flags(path, home string, proxy net.Addr) []chromedp.ExecAllocatorOption {
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.NoInheritEnv,
		chromedp.Env("PATH="+os.Getenv("PATH"), "HOME="+home, "TMPDIR="+home, "USERPROFILE="+home, "LOCALAPPDATA="+home, "TEMP="+home, "TMP="+home),
		chromedp.Flag("no-sandbox", b.noSandbox),
		chromedp.Flag("proxy-server", "http://"+proxy.String()),
		chromedp.Flag("proxy-bypass-list", "<-loopback>"),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("force-webrtc-ip-handling-policy", "disable_non_proxied_udp"),
		chromedp.Flag("headless", true),
		chromedp.Flag("js-flags", "--max-old-space-size=512"), // MB: a page must not take the machine's memory
		chromedp.Flag("disable-features", "Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,SpareRendererForSitePerProcess"),
	}
	for _, name := range []string{
		"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync", "disable-default-apps",
		"disable-extensions", "disable-domain-reliability", "disable-client-side-phishing-detection", "disable-breakpad",
		"disable-background-timer-throttling", "disable-backgrounding-occluded-windows", "disable-renderer-backgrounding",
		"disable-dev-shm-usage", "disable-gpu", "metrics-recording-only", "mute-audio", "hide-scrollbars", "no-first-run",
		"no-default-browser-check", "no-pings", "use-mock-keychain",
	} {
		options = append(options, chromedp.Flag(name, true))
	}
	return append(options, chromedp.Flag("password-store", "basic"))
}

// ErrNoBrowser says what to do where there is no Chromium.
var ErrNoBrowser = errors.New("Chromium was not found: install it or name it in fetch.browser") //nolint:staticcheck // a name

// Find returns the path of the Chromium that renders pages: path
// (fetch.browser) itself, or where that is empty the first of the usual names and
// places. It errs when there is no such program.
func Find(path string) (string, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("run %s: %w", path, ErrNoBrowser)
		}
		return found, nil
	}
	for _, name := range browserNames(runtime.GOOS) {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", ErrNoBrowser
}

// browserNames lists Chromium and what is built on it, by name and by place.
func browserNames(system string) []string {
	switch system {
	case "darwin":
		return []string{
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
			"chromium",
		}
	case "windows":
		return []string{
			"chrome", `C:\Program Files\Google\Chrome\Application\chrome.exe`, `C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
			"msedge", `C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`, `C:\Program Files\Microsoft\Edge\Application\msedge.exe`,
		}
	}
	return []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "/snap/bin/chromium"}
}

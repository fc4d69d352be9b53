package chrome

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/chromedp"
)

// Site makes the requests that a rendered page needs, such as those for its scripts.
type Site interface {
	// Fetch makes a request and returns the whole answer. It returns a Refusal if the configuration does not
	// allow the request. The site's owner sees the texts of all errors.
	Fetch(ctx context.Context, req *http.Request) (*Answer, error)
	// Own reports whether url belongs to the site. If robots.txt forbids url, forbidden is the reason.
	Own(url string) (own bool, forbidden string)
}

// Answer is the response to one request of a page.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Refusal says that a request is not allowed, and which setting would allow it.
type Refusal interface {
	error
	Remedy() string
}

// Options says how pages are rendered.
type Options struct {
	Path      string // path of Chromium; empty: search the usual places
	NoSandbox bool   // run the browser without its sandbox
	Tabs      int    // most pages that are rendered at the same time
	MaxBody   int64  // most bytes of a page; all answers to its requests together may have four times MaxBody
	Memory    int64  // bytes that one process of the browser may use; 0: 768 MiB
	Site      Site
}

// Renderer runs the scripts of pages in Chromium. It starts Chromium for the first page.
type Renderer struct {
	opts    Options
	browser *browser
	tabs    chan struct{}
	assets  assets
}

// New returns a renderer. Chromium is not started yet.
func New(o Options) *Renderer {
	b := &browser{path: o.Path, noSandbox: o.NoSandbox, memory: cmp.Or(o.Memory, mostMemory), close: func() {}}
	b.life, b.kill = context.WithCancel(context.Background())
	return &Renderer{
		opts: o, browser: b, tabs: make(chan struct{}, max(1, o.Tabs)), assets: assets{kept: map[string]*Answer{}},
	}
}

// Close ends the browser, if it runs, and waits until its processes and files are gone.
func (r *Renderer) Close() {
	b := r.browser
	b.kill()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.close()
	b.ctx, b.close = nil, func() {}
}

// Page is a page as fetched, before its scripts run.
type Page struct {
	URL    string
	Header http.Header
	Body   []byte
	In     string        // the body's encoding (WHATWG Encoding)
	Limit  time.Duration // time limit for rendering (fetch.timeout)
}

// Render runs a page's scripts and returns the resulting HTML. notes are messages for the site's owner.
// Render errs with ErrNoBrowser if Chromium is not installed. If the browser has ended, it starts a new one.
func (r *Renderer) Render(ctx context.Context, p Page) (text string, notes map[string]bool, err error) {
	select {
	case r.tabs <- struct{}{}:
		defer func() { <-r.tabs }()
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	// The end of ctx kills the browser at once, even while the browser starts or closes tabs.
	defer context.AfterFunc(ctx, r.browser.kill)()
	browser, err := r.browser.use()
	if err != nil {
		return "", nil, cmp.Or(ctx.Err(), err)
	}
	t := &tab{
		renderer: r, page: p, changed: make(chan struct{}, 1),
		waiting: map[fetch.RequestID]string{}, notes: map[string]bool{},
	}
	text, err = t.render(ctx, browser)
	if err != nil && ended(browser) {
		err = errors.New("Chromium ended while it had the page open") //nolint:staticcheck // a brand name
	}
	return text, t.notes, cmp.Or(ctx.Err(), err)
}

const (
	mostStarts   = 5 // most starts in one crawl, in case the browser keeps crashing
	startTimeout = 30 * time.Second
	longestTemp  = 35 // most bytes of os.TempDir(); the path of a socket in it may have 104 bytes
)

// browser is the one Chromium of a crawl. The first page starts it. It is safe for concurrent use.
type browser struct {
	path      string
	noSandbox bool
	memory    int64
	life      context.Context
	kill      context.CancelFunc // ends the browser at once, for the rest of the crawl

	mu     sync.Mutex
	starts int
	ctx    context.Context
	close  func()
	err    error
}

// use returns the context of a running browser, which it starts if needed. Tabs use child contexts.
func (b *browser) use() (context.Context, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.life.Err() != nil:
		return nil, b.life.Err()
	case b.ctx != nil && !ended(b.ctx):
		return b.ctx, nil
	case b.starts < mostStarts:
		b.starts++
		b.close()
		b.ctx, b.close = nil, func() {}
		b.err = b.start()
	case b.err == nil:
		b.err = errors.New("Chromium keeps crashing and is not started again") //nolint:staticcheck // a brand name
	}
	return b.ctx, b.err
}

// ended reports whether the browser ended. A lost connection shows this before the context is cancelled.
func ended(browser context.Context) bool {
	select {
	case <-chromedp.FromContext(browser).Browser.LostConnection:
		return true
	default:
		return browser.Err() != nil
	}
}

func (b *browser) start() error {
	path, err := Find(b.path)
	if err != nil {
		return err
	}
	if os.Geteuid() == 0 && !b.noSandbox {
		return errRoot
	}
	temp := os.TempDir()
	if runtime.GOOS != "windows" && len(temp) > longestTemp {
		temp = "/tmp"
	}
	home, err := os.MkdirTemp(temp, "sitesync-")
	if err != nil {
		return fmt.Errorf("make a folder for Chromium: %w", err)
	}
	proxy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return errors.Join(fmt.Errorf("listen for Chromium: %w", err), os.RemoveAll(home))
	}
	var beside sync.WaitGroup
	// This proxy of the browser closes every connection, such as a WebSocket. Allowed requests don't use it:
	// they are answered over the DevTools protocol.
	beside.Go(func() {
		for conn, err := proxy.Accept(); err == nil; conn, err = proxy.Accept() {
			_ = conn.Close()
		}
	})
	life, end := context.WithCancel(b.life)
	allocator, endAllocator := chromedp.NewExecAllocator(life, b.flags(path, home, proxy.Addr())...)
	quiet := func(string, ...any) {}
	ctx, endBrowser := chromedp.NewContext(allocator, chromedp.WithLogf(quiet), chromedp.WithErrorf(quiet))
	closeAll := func() {
		end()
		endBrowser()
		endAllocator()
		_ = proxy.Close()
		beside.Wait()
		_ = os.RemoveAll(home)
	}
	defer time.AfterFunc(startTimeout, end).Stop()
	if _, err := chromedp.CallBrowser(ctx, cdpbrowser.GetVersion, cdp.Empty{}); err != nil {
		closeAll()
		return fmt.Errorf("start %s: %.400s", path, strings.Join(strings.Fields(err.Error()), " "))
	}
	beside.Go(func() { watchMemory(ctx, chromedp.FromContext(ctx).Browser.Process().Pid, b.memory) })
	b.ctx, b.close = ctx, closeAll
	return nil
}

// flags returns Chromium's command line and environment. Chromium inherits no other variables, has no network
// except a proxy that refuses all, and starts no background tasks.
func (b *browser) flags(path, home string, proxy net.Addr) []chromedp.ExecAllocatorOption {
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.NoInheritEnv,
		chromedp.Env("PATH="+os.Getenv("PATH"), "HOME="+home, "TMPDIR="+home, "USERPROFILE="+home,
			"LOCALAPPDATA="+home, "TEMP="+home, "TMP="+home),
		chromedp.Flag("no-sandbox", b.noSandbox),
		chromedp.Flag("proxy-server", "http://"+proxy.String()),
		chromedp.Flag("proxy-bypass-list", "<-loopback>"),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"),
		chromedp.Flag("force-webrtc-ip-handling-policy", "disable_non_proxied_udp"),
		chromedp.Flag("headless", true),
		chromedp.Flag("js-flags", "--max-old-space-size=512"), // MB of JavaScript heap
		chromedp.Flag("disable-features", "Translate,MediaRouter,OptimizationHints,AutofillServerCommunication,"+
			"SpareRendererForSitePerProcess"),
		chromedp.Flag("password-store", "basic"),
	}
	for _, name := range []string{
		"disable-quic", "disable-background-networking", "disable-component-update", "disable-sync",
		"disable-default-apps", "disable-extensions", "disable-domain-reliability", "disable-breakpad",
		"disable-client-side-phishing-detection", "disable-background-timer-throttling",
		"disable-backgrounding-occluded-windows", "disable-renderer-backgrounding", "disable-dev-shm-usage",
		"disable-gpu", "metrics-recording-only", "mute-audio", "hide-scrollbars", "no-first-run",
		"no-default-browser-check", "no-pings", "use-mock-keychain",
	} {
		options = append(options, chromedp.Flag(name, true))
	}
	return options
}

//nolint:staticcheck // an error may begin with a name
var errRoot = errors.New("Chromium does not run as root with its sandbox: " +
	"run sitesync as another user or set fetch.browser_sandbox = false")

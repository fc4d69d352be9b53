package crawl

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

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
	life      context.Context
	kill      context.CancelFunc // ends the browser at once, and for good

	mu     sync.Mutex
	starts int
	ctx    context.Context // of the process; nil before the first
	close  func()          // frees all that belongs to it
	err    error           // why the last start failed
}

func newBrowser(path string, noSandbox bool) *browser {
	b := &browser{path: path, noSandbox: noSandbox, close: func() {}}
	b.life, b.kill = context.WithCancel(context.Background())
	return b
}

// use returns the context of a browser that runs. Tabs are children of it; it is
// done when the browser ends.
func (b *browser) use() (context.Context, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.life.Err() != nil:
		return nil, b.life.Err()
	case b.ctx != nil && b.ctx.Err() == nil:
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

// end kills the browser, if there is one, and waits until nothing of it is left.
func (b *browser) end() {
	b.kill()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.close()
	b.ctx, b.close = nil, func() {}
}

func (b *browser) start() (_ context.Context, closeAll func(), err error) {
	nothing := func() {}
	path, err := FindBrowser(b.path)
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
	proxy, err := newDeadEnd()
	if err != nil {
		return nil, nothing, errors.Join(err, os.RemoveAll(home))
	}
	life, end := context.WithCancel(b.life)
	allocator, endAllocator := chromedp.NewExecAllocator(life, b.flags(path, home, proxy.Addr())...)
	quiet := func(string, ...any) {}
	ctx, endBrowser := chromedp.NewContext(allocator, chromedp.WithLogf(quiet), chromedp.WithErrorf(quiet))
	closeAll = func() {
		end()
		endBrowser()
		endAllocator()
		proxy.Close()
		_ = os.RemoveAll(home) // of which nothing is worth an error
	}
	late := time.AfterFunc(browserStart, end)
	defer late.Stop()
	if _, err := chromedp.CallBrowser(ctx, cdpbrowser.GetVersion, cdp.Empty{}); err != nil {
		closeAll()
		return nil, nothing, fmt.Errorf("start %s: %s", path, clip(strings.Join(strings.Fields(err.Error()), " "), 400))
	}
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

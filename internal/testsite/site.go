package testsite

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Site is a web site on a loopback port. Its pages, faults and settings may be
// changed while it serves. Pages are keyed by the request target exactly as it
// stands in the request line: escapes and query belong to the key.
type Site struct {
	url    string
	server *http.Server
	stop   context.CancelFunc
	served chan struct{} // closed once the server has returned
	trust  []byte        // PEM
	log    requestLog

	mu       sync.Mutex // guards what follows
	pages    map[string]Page
	traps    []trap
	visits   []string // see Visit
	faults   []rule
	gates    map[string]chan struct{} // of Script's hold and stall
	now      time.Time
	sitemap  bool
	soft404  bool
	lost     *Page // what Lost set
	missed   int   // how often that was shown
	unhinted bool
}

// New starts an empty site. It panics when no loopback port can be had, as
// nothing can be tested then. The caller closes the site.
func New() *Site { return start(nil, nil) }

// NewTLS starts a site that speaks https with a self-signed certificate for
// 127.0.0.1 and localhost, valid for the 90 days before until. A moment in the
// past gives an expired one.
func NewTLS(until time.Time) *Site {
	certificate, pem, err := selfSigned(until)
	if err != nil {
		panic(fmt.Sprintf("testsite: make certificate: %v", err))
	}
	return start(&tls.Config{Certificates: []tls.Certificate{certificate}}, pem)
}

// start listens on a free loopback port and serves until Close.
func start(config *tls.Config, trust []byte) *Site {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(fmt.Sprintf("testsite: listen on a loopback port: %v", err))
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Site{
		url:    "http://" + listener.Addr().String(),
		stop:   stop,
		served: make(chan struct{}),
		trust:  trust,
		pages:  map[string]Page{},
		gates:  map[string]chan struct{}{},
		now:    time.Date(2024, time.January, 1, 0, 0, 0, 0, time.UTC),
	}
	if config != nil {
		s.url = strings.Replace(s.url, "http:", "https:", 1)
		listener = tls.NewListener(listener, config)
	}
	s.server = &http.Server{
		Handler:     s,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    log.New(io.Discard, "", 0), // refused certificates are what tests ask for
	}
	go func() {
		defer close(s.served)
		_ = s.server.Serve(listener)
	}()
	return s
}

// URL returns the site's origin, without a slash at its end.
func (s *Site) URL() string { return s.url }

// Authority returns the site's certificate in PEM, for a client that is to
// trust it; nil without TLS.
func (s *Site) Authority() []byte { return s.trust }

// Close ends the site at once, with the answers that are under way.
func (s *Site) Close() {
	s.stop()
	_ = s.server.Close()
	<-s.served
}

// AutoSitemap switches the site's own /sitemap.xml on or off. It lists every
// page that answers 200 and is not Unlisted. A page set at that path wins.
func (s *Site) AutoSitemap(on bool) { s.setting(&s.sitemap, on) }

// Soft404 makes unknown paths answer 200 with the not-found page.
func (s *Site) Soft404(on bool) { s.setting(&s.soft404, on) }

// Validators switches ETag, Last-Modified and 304 on (the default) or off.
func (s *Site) Validators(on bool) { s.setting(&s.unhinted, !on) }

func (s *Site) setting(which *bool, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*which = on
}

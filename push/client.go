package push

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/document"
)

// Options say which service a Client talks to, and how.
type Options struct {
	BaseURL        string                 // address of the customer's region: https, or http on loopback, as the configuration checks it
	Customer       int64                  // customer ID, the user name of Basic authentication (section 5.1)
	Engine         int64                  // search engine, part of the SiteKey (section 5.2); 0 where no call needs one
	Crawler        string                 // content source that holds the documents
	QueueCrawler   string                 // content source whose crawler fetches queued URLs; default: Crawler
	Key            document.Secret        // API key, the password of Basic authentication
	Timeout        time.Duration          // of one try of a call, answer included, and then of the kernel's to deliver what was sent; default 60 s
	BatchDocuments int                    // most documents or URLs in one call; default 100
	BatchBytes     int64                  // most bytes in the body of one call, except for a single larger document; default 1 MiB
	UserAgent      string                 // default "sitesync"
	Transport      http.RoundTripper      // default: no proxy, TLS 1.2 or later
	Backoff        func() backoff.BackOff // waits between the tries of one call; default: 1 s, doubling, half of it jitter
	Logger         *slog.Logger           // for a line on each repeated call; default: none

	After func(time.Duration) <-chan time.Time      // makes the waits between tries; default: time.After
	Guard func(http.RoundTripper) http.RoundTripper // stands before Transport; nil: nothing does
}

// Client calls the index-management endpoints of one content source.
type Client struct {
	*conn
	documents string // address of the documents endpoint
	paths     string // address of the crawler's queue

	failed   int                          // failed calls in a row
	zeros    int                          // deletes in a row that found nothing
	accepted map[document.Op]bool         // operations of which the service took a document
	look     func(id string, row *object) // is shown each row of an Ask; else nil
}

// New returns a client; it makes no call. Options need a Crawler and a Key.
func New(o Options) *Client {
	c := newConn(o)
	api := c.base + "/api/v4/" + c.customer
	return &Client{
		conn:      c,
		documents: api + "/index/" + url.PathEscape(o.Crawler) + "/documents",
		paths:     api + "/crawler/" + url.PathEscape(cmp.Or(o.QueueCrawler, o.Crawler)) + "/paths",
		accepted:  map[document.Op]bool{},
	}
}

// CheckCredentials tries the credentials with a read, GET of ranking 0 (section
// 4.2), which changes nothing: any answer of the service but an unauthorised one
// will do. It errs with an *Error when the service is unauthorised, out of reach
// or redirects, and with ctx's error when ctx ends.
func (c *Client) CheckCredentials(ctx context.Context) error {
	_, failure := c.call(ctx, request{
		op: "check", method: http.MethodGet, url: c.base + "/api/rankings/0",
		final: func(answer) bool { return true },
	})
	if failure == nil {
		return nil
	}
	return cmp.Or(ctx.Err(), error(failure))
}

// conn makes calls of one service as one customer, within limits, repeated while that may
// help.
type conn struct {
	o        Options // with defaults, without the key
	base     string  // without a trailing slash
	customer string

	http      *http.Client
	keyless   bool                // calls have a SiteKey (section 5.2), not Basic authentication (section 5.1)
	authorise func(*http.Request) // adds either to a call
	clean     func(string) string // foreign text made fit for an error: no key, no control characters, short
}

func newConn(o Options) *conn {
	o.Timeout = cmp.Or(o.Timeout, time.Minute)
	o.BatchDocuments = cmp.Or(o.BatchDocuments, 100)
	o.BatchBytes = cmp.Or(o.BatchBytes, 1<<20)
	o.UserAgent = cmp.Or(o.UserAgent, "sitesync")
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Transport == nil {
		o.Transport = &http.Transport{IdleConnTimeout: 90 * time.Second, ForceAttemptHTTP2: true}
	}
	if t, ok := o.Transport.(*http.Transport); ok {
		o.Transport = neverLate(t, o.Timeout)
	}
	if o.Guard != nil {
		o.Transport = o.Guard(o.Transport)
	}
	if o.Backoff == nil {
		o.Backoff = func() backoff.BackOff {
			return &backoff.ExponentialBackOff{InitialInterval: time.Second, RandomizationFactor: 0.5, Multiplier: 2, MaxInterval: time.Minute}
		}
	}
	if o.After == nil {
		o.After = time.After
	}
	customer, key := strconv.FormatInt(o.Customer, 10), string(o.Key)
	authorise := func(r *http.Request) { r.SetBasicAuth(customer, key) }
	if key == "" {
		siteKey := SiteKey(o.Customer, o.Engine)
		authorise = func(r *http.Request) { r.Header.Set("Authorization", siteKey) }
	}
	o.Key = ""
	// A redirect is an answer like any other: following it would send the credentials and
	// the documents to an address nobody configured.
	keepRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &conn{
		o:        o,
		base:     strings.TrimRight(o.BaseURL, "/"),
		customer: customer,
		http:     &http.Client{Transport: o.Transport, CheckRedirect: keepRedirect},
		keyless:  key == "", authorise: authorise,
		clean: newCleaner(customer, key),
	}
}

// SiteKey returns the Authorization header of public integrations (section 5.2);
// it holds no secret.
func SiteKey(customer, engine int64) string {
	triple := fmt.Sprintf("%d:%d:SearchKey", customer, engine)
	return "SiteKey " + base64.StdEncoding.EncodeToString([]byte(triple))
}

// Close closes connections that are kept for further calls.
func (c *conn) Close() { c.http.CloseIdleConnections() }

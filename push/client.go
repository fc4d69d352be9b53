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

// Options says which service a Client calls, and how.
type Options struct {
	BaseURL        string                 // address of the customer's region: https, or http on loopback
	Customer       int64                  // customer ID; also the Basic user name (specification section 5.1)
	Engine         int64                  // search engine ID, for public credentials (SiteKey, section 5.2)
	Crawler        string                 // ID of the content source, the part of the index to fill
	QueueCrawler   string                 // ID of the content source for queued URLs; default: Crawler
	Key            document.Secret        // API key, the password of Basic authentication
	Timeout        time.Duration          // limit of one try, and of unacknowledged TCP data; default 60 s
	BatchDocuments int                    // most documents or URLs in one call; default 100
	BatchBytes     int64                  // most bytes in a body; a larger document goes alone; default 1 MiB
	UserAgent      string                 // default "sitesync"
	Transport      http.RoundTripper      // default: no proxy, TLS 1.2 or later
	Backoff        func() backoff.BackOff // waits between tries; default: 1 s, doubling, half of it jitter
	Logger         *slog.Logger           // logs each retry; default: discards

	After func(time.Duration) <-chan time.Time      // timer for the waits between tries; default: time.After
	Guard func(http.RoundTripper) http.RoundTripper // wraps Transport; nil: Transport is used as it is
}

// Client changes the documents of one content source, the part of an index that one writer fills.
type Client struct {
	*conn
	documentsURL string
	queueURL     string

	failedCallsInRow  int
	emptyDeletesInRow int
	accepted          map[document.Op]bool
	look              func(id string, row *object) // gets each row of an answer during Ask; otherwise nil
}

// New returns a client of the content source o.Crawler. o.Crawler and o.Key are required. New makes no call.
func New(o Options) *Client {
	c := newConn(o)
	api := c.base + "/api/v4/" + c.customer
	return &Client{
		conn:         c,
		documentsURL: api + "/index/" + url.PathEscape(o.Crawler) + "/documents",
		queueURL:     api + "/crawler/" + url.PathEscape(cmp.Or(o.QueueCrawler, o.Crawler)) + "/paths",
		accepted:     map[document.Op]bool{},
	}
}

// CheckCredentials tests the credentials by a GET of the ranking with the ID 0 (section 4.2), which changes
// nothing. It returns an *Error if the service rejects the credentials or IDs, redirects the call, or can't
// be reached. Any other answer passes, even an error. If ctx ends, CheckCredentials returns ctx's error.
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

// conn calls one service as one customer, and retries failed calls.
type conn struct {
	o        Options // defaults filled in; Key removed
	base     string
	customer string

	http      *http.Client
	keyless   bool // authenticates by SiteKey (section 5.2) in place of Basic authentication
	authorise func(*http.Request)
	clean     func(string) string // shortens text for errors, and removes the key and control characters
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
			return &backoff.ExponentialBackOff{
				InitialInterval: time.Second, RandomizationFactor: 0.5, Multiplier: 2, MaxInterval: time.Minute,
			}
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
	// following a redirect would send credentials and documents to an address that nobody configured
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

// SiteKey returns the Authorization header of public integrations (section 5.2). It contains no secret.
func SiteKey(customer, engine int64) string {
	triple := fmt.Sprintf("%d:%d:SearchKey", customer, engine)
	return "SiteKey " + base64.StdEncoding.EncodeToString([]byte(triple))
}

// Close closes idle connections.
func (c *conn) Close() { c.http.CloseIdleConnections() }

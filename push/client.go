package push

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/document"
)

// Options say which service a Client talks to, and how.
type Options struct {
	BaseURL        string                 // address of the customer's region: https, or http on loopback; no user, query or fragment
	Customer       int64                  // customer ID, the user name of Basic authentication (section 5.1)
	Engine         int64                  // search engine, part of the SiteKey (section 5.2); 0 where no call needs one
	Crawler        string                 // content source that holds the documents
	QueueCrawler   string                 // content source whose crawler fetches queued URLs; default: Crawler
	Key            Secret                 // API key, the password of Basic authentication
	Timeout        time.Duration          // of one call, answer included; default 60 s
	BatchDocuments int                    // most documents or URLs in one call; default 100
	BatchBytes     int64                  // most bytes in the body of one call, but for a single larger document; default 1 MiB
	UserAgent      string                 // default "sitesync"
	Transport      http.RoundTripper      // default: no proxy, TLS 1.2 or later
	Backoff        func() backoff.BackOff // waits between the tries of one call; default: 1 s, doubling, half of it jitter
	Logger         *slog.Logger           // told of each repeated call; default: nobody

	After func(time.Duration) <-chan time.Time // makes the waits between tries; default: time.After
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

// New returns a client. It errs, naming every fault at once, when the options
// can't serve; it makes no call.
func New(o Options) (*Client, error) {
	o.QueueCrawler = cmp.Or(o.QueueCrawler, o.Crawler)
	c, err := newConn(o, rules{needKey, needCrawler})
	if err != nil {
		return nil, err
	}
	api := c.base + "/api/v4/" + c.customer
	return &Client{
		conn:      c,
		documents: api + "/index/" + url.PathEscape(o.Crawler) + "/documents",
		paths:     api + "/crawler/" + url.PathEscape(o.QueueCrawler) + "/paths",
		accepted:  map[document.Op]bool{},
	}, nil
}

// CheckCredentials tries the credentials with a read, GET of ranking 0 (section
// 4.2), which changes nothing: any answer of the service but an unauthorised one
// will do. It errs with an *Error when the service is unauthorised, out of reach
// or redirects, and with ctx's error when ctx ends.
func (c *Client) CheckCredentials(ctx context.Context) error {
	_, err := c.ask(ctx, request{
		op: "check", method: http.MethodGet, url: c.base + "/api/rankings/0",
		final: func(answer) bool { return true },
	})
	return err
}

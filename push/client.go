package push

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"

	"sitesync/internal/document"
)

// minAnswer is how many bytes of an answer are read at least; rows repeat the
// documents, so large batches raise the bound.
const minAnswer = 16 << 20

// Client calls the index-management endpoints of one content source. It keeps no
// copy of the key that printing it could show.
type Client struct {
	base      string // without a trailing slash
	documents string // address of the documents endpoint
	paths     string // address of the crawler's queue
	region    string // hint that explains an unauthorised answer

	batchDocuments int
	batchBytes     int64
	answerBytes    int64
	timeout        time.Duration

	http      *http.Client
	authorise func(*http.Request)
	clean     func(string) string // foreign text made fit for an error: no key, no control characters, short
	backoff   func() backoff.BackOff
	log       *slog.Logger
	wait      func(context.Context, time.Duration) error
	now       func() time.Time

	failed   int                  // failed calls in a row
	zeros    int                  // deletes in a row that found nothing
	accepted map[document.Op]bool // operations of which the service took a document
}

// New returns a client. It errs, naming every fault at once, when the options
// can't serve; it makes no call.
func New(o Options) (*Client, error) {
	o = o.withDefaults()
	base, err := parseBase(o.BaseURL)
	if err := errors.Join(err, o.check()); err != nil {
		return nil, err
	}
	customer := strconv.FormatInt(o.Customer, 10)
	api := base + "/api/v4/" + customer
	redact := newRedactor(o.Customer, o.Key)
	return &Client{
		base:           base,
		documents:      api + "/index/" + url.PathEscape(o.Crawler) + "/documents",
		paths:          api + "/crawler/" + url.PathEscape(o.QueueCrawler) + "/paths",
		region:         regionHint(o.Customer),
		batchDocuments: o.BatchDocuments,
		batchBytes:     o.BatchBytes,
		answerBytes:    max(minAnswer, 8*o.BatchBytes),
		timeout:        o.Timeout,
		http:           &http.Client{Transport: o.Transport, CheckRedirect: keepRedirect},
		authorise: func(r *http.Request) {
			r.SetBasicAuth(customer, string(o.Key))
			r.Header.Set("User-Agent", o.UserAgent)
		},
		clean:    func(s string) string { return printable(redact(s)) },
		backoff:  o.Backoff,
		log:      o.Logger,
		wait:     wait,
		now:      time.Now,
		accepted: map[document.Op]bool{},
	}, nil
}

// keepRedirect makes a redirect an answer like any other: following it would
// send the credentials and the documents to an address nobody configured.
func keepRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

package push

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
)

const (
	defaultTimeout        = 60 * time.Second
	defaultBatchDocuments = 100
	defaultBatchBytes     = 1 << 20
	defaultUserAgent      = "sitesync"
)

// Options say which service a Client talks to, and how.
type Options struct {
	BaseURL        string                 // address of the customer's region: https, or http on loopback; no user, query or fragment
	Customer       int64                  // customer ID, the user name of Basic authentication (section 5.1)
	Crawler        string                 // content source that holds the documents
	QueueCrawler   string                 // content source whose crawler fetches queued URLs; default: Crawler
	Key            Secret                 // API key, the password of Basic authentication
	Timeout        time.Duration          // of one call, answer included; default 60 s
	BatchDocuments int                    // most documents or URLs in one call; default 100
	BatchBytes     int64                  // most bytes in the body of one call, but for a single larger document; default 1 MiB
	UserAgent      string                 // default "sitesync"
	Transport      http.RoundTripper      // default: NewTransport
	Backoff        func() backoff.BackOff // waits between the tries of one call; default: 1 s, doubling, half of it jitter
	Logger         *slog.Logger           // told of each repeated call; default: nobody
}

// NewTransport returns a transport with the default settings: no proxy, TLS 1.2
// or later. A caller that needs a proxy or its own authorities changes the copy
// it got and hands it in as Options.Transport.
func NewTransport() *http.Transport {
	return &http.Transport{
		DialContext:            (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    30 * time.Second,
		IdleConnTimeout:        90 * time.Second,
		MaxResponseHeaderBytes: 1 << 20,
		ForceAttemptHTTP2:      true,
	}
}

func newBackoff() backoff.BackOff {
	return &backoff.ExponentialBackOff{
		InitialInterval:     time.Second,
		RandomizationFactor: 0.5,
		Multiplier:          2,
		MaxInterval:         time.Minute,
	}
}

// withDefaults fills in what was left empty.
func (o Options) withDefaults() Options {
	setDefault(&o.QueueCrawler, o.Crawler)
	setDefault(&o.Timeout, defaultTimeout)
	setDefault(&o.BatchDocuments, defaultBatchDocuments)
	setDefault(&o.BatchBytes, defaultBatchBytes)
	setDefault(&o.UserAgent, defaultUserAgent)
	if o.Transport == nil {
		o.Transport = NewTransport()
	}
	if o.Backoff == nil {
		o.Backoff = newBackoff
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

func setDefault[T comparable](value *T, other T) {
	var zero T
	if *value == zero {
		*value = other
	}
}

// check names every fault of the options but those of the address.
func (o Options) check() error {
	var faults []error
	add := func(bad bool, text string) {
		if bad {
			faults = append(faults, errors.New(text))
		}
	}
	add(o.Customer <= 0, "push.customer_id is missing: it is a positive number from the account settings of the management console")
	add(!isSegment(o.Crawler), "push.crawler_id is missing or no identifier: copy it from the management console")
	add(!isSegment(o.QueueCrawler), "push.queue_crawler_id is no identifier: copy it from the management console")
	add(o.Key == "", "push.api_key is missing: copy it from the account settings of the management console")
	add(o.Timeout < 0, "the time-out of a call is negative")
	add(o.BatchDocuments < 0, "push.batch_documents is negative")
	add(o.BatchBytes < 0, "push.batch_bytes is negative")
	return errors.Join(faults...)
}

// isSegment reports whether s can be one segment of a path: dot segments are
// taken out on the way to the service (RFC 3986, section 5.2.4).
func isSegment(s string) bool {
	return s != "" && s != "." && s != ".."
}

// parseBase returns the base address without a trailing slash. Its errors don't
// quote an address that may hold a password.
func parseBase(raw string) (string, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Host == "":
		return "", errors.New("push.base_url is no address: write it as https://HOST")
	case u.User != nil:
		return "", errors.New("push.base_url names a user: remove the part before the @; the key belongs in push.api_key")
	case u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())):
		return "", fmt.Errorf("push.base_url %q is not https: only an address on loopback may be http, as the key would be readable on the way", raw)
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "":
		return "", fmt.Errorf("push.base_url %q holds a query or a fragment: write the address alone", raw)
	}
	return strings.TrimRight(u.String(), "/"), nil
}

func isLoopback(host string) bool {
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}

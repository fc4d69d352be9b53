package push

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"sitesync/internal/document"
)

// request is one call, repeatable.
type request struct {
	op     document.Op
	method string
	url    string
	body   []byte                             // JSON; nil for none
	final  func(status int, body []byte) bool // see classify; may be nil
}

// answer is what came back from a call that did not fail.
type answer struct {
	status   int
	body     []byte
	repeated bool // an earlier try may have been carried out already
}

// attempt makes one try within the time-out.
func (c *Client) attempt(ctx context.Context, r request) (answer, *Error) {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	got, header, err := c.exchange(limited, r)
	var failure *Error
	switch {
	case errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil && err != nil:
		failure = broken(fmt.Sprintf("no whole answer within %s", c.timeout), true)
	case err != nil:
		failure = broken(describe(err), !isCertificate(err))
	default:
		failure = classify(got.status, got.body, r.final)
	}
	if failure == nil {
		return got, nil
	}
	return answer{}, c.dress(failure, r, header)
}

// exchange sends the request and reads the answer. An answer that breaks off is
// an error only where its status says success: a failure is known by its status.
func (c *Client) exchange(ctx context.Context, r request) (answer, http.Header, error) {
	req, err := http.NewRequestWithContext(ctx, r.method, r.url, bytes.NewReader(r.body))
	if err != nil {
		return answer{}, nil, err
	}
	c.authorise(req)
	req.Header.Set("Accept", "application/json")
	if r.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := c.http.Do(req)
	if err != nil {
		return answer{}, nil, err
	}
	defer res.Body.Close()
	body, err := c.read(res.Body)
	if err != nil && isSuccess(res.StatusCode) {
		return answer{}, nil, fmt.Errorf("read the answer: %w", err)
	}
	return answer{status: res.StatusCode, body: body}, res.Header, nil
}

// read returns at most answerBytes. Of a longer answer it returns the part that
// was read, which is no whole JSON text: an answer nobody asked for is not worth
// another try.
func (c *Client) read(body io.Reader) ([]byte, error) {
	return io.ReadAll(io.LimitReader(body, c.answerBytes))
}

// dress adds what the call knows to a failure and cleans the texts in it.
func (c *Client) dress(e *Error, r request, header http.Header) *Error {
	e.Op, e.URL, e.region = r.op, r.url, c.region
	if e.Kind == KindRedirect {
		e.Message = "redirects to " + place(header.Get("Location"))
	}
	e.Message = c.clean(e.Message)
	e.Reference = c.clean(e.Reference)
	e.retry.after = retryAfter(header, c.now())
	return e
}

// place returns a redirect's target without the parts that tend to hold tokens.
func place(location string) string {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return "no readable address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

func broken(text string, again bool) *Error {
	return &Error{Kind: KindNetwork, Message: text, retry: retryAdvice{again: again}}
}

// describe returns the cause without method and address, which Error names
// itself, and says of a certificate whose it is and when it holds.
func describe(err error) string {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	var invalid x509.CertificateInvalidError
	if errors.As(err, &invalid) && invalid.Cert != nil {
		return fmt.Sprintf("%v (certificate of %s, valid from %s to %s)", err, invalid.Cert.Subject,
			invalid.Cert.NotBefore.Format(time.DateOnly), invalid.Cert.NotAfter.Format(time.DateOnly))
	}
	return err.Error()
}

// isCertificate reports whether the service's certificate was turned down:
// nothing was sent, and a minute won't mend it.
func isCertificate(err error) bool {
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	var name x509.HostnameError
	return errors.As(err, &invalid) || errors.As(err, &unknown) || errors.As(err, &name)
}

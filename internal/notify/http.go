package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// SignatureHeader holds when a message was signed and with what: "t=SECONDS,v1=HEX".
const SignatureHeader = "Sitesync-Signature"

// Sign returns the value of SignatureHeader: the HMAC-SHA256 (RFC 2104) of the time in Unix
// seconds, a dot and the body.
func Sign(secret string, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(append([]byte(seconds+"."), body...))
	return "t=" + seconds + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

func (n *Notifier) hook(ctx context.Context, body []byte) error {
	header := http.Header{"Content-Type": {"application/json"}}
	if n.HookSecret != "" {
		header.Set(SignatureHeader, Sign(n.HookSecret, time.Now(), body))
	}
	return n.call(ctx, http.MethodPost, n.Hook, header, body)
}

// Alive calls the address of a dead-man service; failed: it is told that the run did not
// come to its end, by "/fail" behind the path.
func (n *Notifier) Alive(ctx context.Context, failed bool) error {
	address, err := url.Parse(n.Ping)
	if n.Ping == "" {
		return nil
	}
	if err != nil { // which holds the address
		return errors.New("notify.ping: the address can't be used")
	}
	if failed {
		address = address.JoinPath("fail")
	}
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	if err := n.call(ctx, http.MethodGet, address.String(), http.Header{}, nil); err != nil {
		return fmt.Errorf("notify.ping: %w", err)
	}
	return nil
}

// call makes a request, twice where it fails for a reason that may pass. Its errors name
// the host alone: the address may hold a token. Redirects are not looked at: following one
// could give that to others, and an error could repeat it.
func (n *Notifier) call(ctx context.Context, method, address string, header http.Header, body []byte) error {
	transport := n.Transport
	if transport == nil {
		transport = http.DefaultTransport
	}
	_, err := backoff.Retry(ctx, func() (struct{}, error) {
		req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
		if err != nil {
			return struct{}{}, backoff.Permanent(errors.New("the address can't be used"))
		}
		req.Header = header.Clone()
		req.Header.Set("User-Agent", n.UserAgent)
		if user := req.URL.User; user != nil {
			password, _ := user.Password()
			req.SetBasicAuth(user.Username(), password)
		}
		resp, err := transport.RoundTrip(req)
		if err != nil {
			return struct{}{}, fmt.Errorf("call %s: %w", req.URL.Host, err)
		}
		defer resp.Body.Close()
		_, _ = io.CopyN(io.Discard, resp.Body, 1<<16)
		if resp.StatusCode >= 200 && resp.StatusCode < 300 {
			return struct{}{}, nil
		}
		err = fmt.Errorf("%s answered with HTTP status %d", req.URL.Host, resp.StatusCode)
		if resp.StatusCode < 500 && resp.StatusCode != http.StatusTooManyRequests {
			err = backoff.Permanent(err)
		}
		return struct{}{}, err
	}, backoff.WithMaxTries(2), backoff.WithBackOff(backoff.NewConstantBackOff(n.Pause)))
	return err
}

package transport

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	"github.com/klauspost/compress/gzip"

	"sitesync/internal/document"
)

const acceptEncoding = "gzip" // the only content coding that is decoded (RFC 9110, section 8.4.1)

const (
	headLength    = 1 << 10
	maxInflation  = 200     // largest ratio of decoded bytes to sent bytes
	freeInflation = 1 << 20 // decoded bytes up to which the ratio is not checked

	firstRoom  = 32 << 10
	doublingTo = 1 << 20 // up to this size a buffer doubles; a larger one grows by a quarter
)

// Limit bounds a body. The same bound applies to the bytes sent and to the decoded bytes.
type Limit struct {
	Bytes int64
	Key   string                  // configuration key that sets Bytes, such as "fetch.max_body"
	Take  func(bytes int64) error // called to reserve memory before use; it may block, and may be nil
	// Of, unless it is nil, returns new values of Bytes and Key. head is the beginning of the body, at most
	// 1 KiB. Of returns 0 bytes for a body that is not wanted.
	Of func(head []byte) (bytes int64, key string)
}

// ReadBody returns the decoded body of resp, and closes resp.Body. It returns nil for a body that limit.Of
// does not want. It errs if the body exceeds limit or did not arrive whole. Its errors are *bodyError, unless
// ctx is done or limit.Take returns a context error.
func ReadBody(ctx context.Context, resp *http.Response, limit Limit) ([]byte, error) {
	if resp.ContentLength > limit.Bytes && limit.Of == nil {
		resp.Body.Close()
		return nil, limit.exceeded()
	}
	o, err := OpenBody(ctx, resp, limit)
	if err != nil {
		return nil, err
	}
	defer o.Close()
	body := []byte{}
	if limit.Of != nil {
		body, err = o.readHead()
	}
	if err != nil || o.limit.Bytes == 0 {
		return nil, err
	}
	body, err = o.readRest(body)
	if err == nil && o.want >= 0 && o.sent != o.want {
		return nil, bodyErrorf(io.ErrUnexpectedEOF, "body cut: %s", o.progress())
	}
	return body, err
}

func (o *Body) readHead() ([]byte, error) {
	head := make([]byte, headLength)
	n, err := io.ReadFull(o, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	o.limit.Bytes, o.limit.Key = o.limit.Of(head[:n])
	if o.limit.Bytes > 0 && o.want > o.limit.Bytes {
		return nil, o.limit.exceeded()
	}
	return head[:n], nil
}

// codings matches content codings, registered or not. Other words in Content-Encoding, such as "none" or
// "utf-8", are ignored, as browsers do.
var codings = regexp.MustCompile(
	`\b(?:(?:x-)?(?:gzip|compress|bzip2)|pack200-gzip|br|deflate|zstd|dc[bz]|exi|aes128gcm|lzma|xz)\b`)

// OpenBody returns the decoded body of resp, to be read piece by piece. Limits and errors are those of
// ReadBody. Closing the result closes the body of resp.
func OpenBody(ctx context.Context, resp *http.Response, limit Limit) (*Body, error) {
	o := &Body{want: resp.ContentLength, limit: limit, watch: newBodyWatch(ctx, resp.Body)}
	o.in = (*sentReader)(o)
	named := strings.ToLower(strings.Join(resp.Header.Values("Content-Encoding"), ","))
	switch coding := strings.Join(codings.FindAllString(named, -1), ", "); coding {
	case "":
		return o, nil
	case "gzip", "x-gzip":
		in := bufio.NewReader(o.in)
		o.in = in
		// If the body does not begin with 1F 8B, it is not compressed, although its header says gzip.
		if magic, _ := in.Peek(2); !bytes.HasPrefix([]byte("\x1F\x8B"), magic) {
			return o, nil
		}
	default:
		o.Close()
		return nil, bodyErrorf(nil, "content encoding %q is not understood, though only %s was asked for",
			coding, acceptEncoding)
	}
	o.inflater = new(gzip.Reader)
	// An empty body is no error.
	if err := o.inflater.Reset(o.in); err != nil && (err != io.EOF || o.sent > 0) {
		err = o.explain(err)
		o.Close()
		return nil, err
	}
	return o, nil
}

// Body reads a response body, counts its bytes and errs if the body exceeds its Limit.
type Body struct {
	in       io.Reader
	sent     int64 // bytes read so far, before decompression
	want     int64 // Content-Length; -1 when unknown
	limit    Limit
	watch    *bodyWatch
	broken   error // error of reading the body before decompression, except io.EOF
	inflater *gzip.Reader
	decoded  int64
}

// Read reads decoded bytes. It fails when the body exceeds its Limit.
func (o *Body) Read(p []byte) (int, error) {
	if o.inflater == nil {
		return o.in.Read(p)
	}
	n, err := o.inflater.Read(p)
	o.decoded += int64(n)
	switch {
	case o.decoded > o.limit.Bytes:
		return n, o.limit.exceeded()
	case o.decoded > freeInflation && o.decoded > maxInflation*o.sent:
		return n, bodyErrorf(nil, "gzip body inflates more than %d to 1: refused", maxInflation)
	case err == nil || err == io.EOF:
		return n, err
	}
	return n, o.explain(err)
}

// Close closes the body.
func (o *Body) Close() { o.watch.stop() }

type sentReader Body

func (s *sentReader) Read(p []byte) (int, error) {
	n, err := s.watch.Read(p)
	s.sent += int64(n)
	switch {
	case s.sent > s.limit.Bytes:
		err = s.limit.exceeded()
	case err != nil && err != io.EOF:
		err = (*Body)(s).cut(err)
	default:
		return n, err
	}
	s.broken = err
	return n, err
}

func (o *Body) cut(err error) error {
	var slow *bodyError
	switch cause := context.Cause(o.watch.ctx); {
	case errors.As(cause, &slow):
		return bodyErrorf(slow, "%v: %s", slow, o.progress())
	case cause != nil:
		return cause
	case errors.Is(err, io.ErrUnexpectedEOF):
		return bodyErrorf(err, "body cut: %s", o.progress())
	}
	return bodyErrorf(err, "body cut: %s (%s)", o.progress(), Explain(err))
}

func (o *Body) explain(err error) error {
	switch {
	case o.broken != nil:
		return o.broken
	case errors.Is(err, io.ErrUnexpectedEOF) && o.sent == 0:
		return io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		sent := document.FormatBytes(o.sent)
		return bodyErrorf(err, "gzip body cut: it ends after %s in the middle of its data", sent)
	}
	return bodyErrorf(err, "gzip body damaged: %v", err)
}

func (o *Body) progress() string {
	if o.want < 0 {
		return document.FormatBytes(o.sent) + " arrived"
	}
	return document.FormatBytes(o.sent) + " of " + document.FormatBytes(o.want) + " arrived"
}

func (l Limit) exceeded() error {
	return &bodyError{text: fmt.Sprintf("body is over %s (%s)", document.FormatBytes(l.Bytes), l.Key), ours: true}
}

type bodyError struct {
	text  string
	cause error
	ours  bool // one of the crawler's own limits stopped the exchange
}

// IsOurs reports whether an exchange ended because its body exceeded one of the crawler's own limits. Such an
// error is no fault of the host.
func IsOurs(err error) bool {
	body, ok := errors.AsType[*bodyError](err)
	return ok && body.ours
}

func bodyErrorf(cause error, format string, args ...any) *bodyError {
	return &bodyError{text: fmt.Sprintf(format, args...), cause: cause}
}

func (e *bodyError) Error() string { return e.text }

// Unwrap returns the cause; nil if the cause is unknown.
func (e *bodyError) Unwrap() error { return e.cause }

func (o *Body) readRest(body []byte) ([]byte, error) {
	for {
		if cap(body)-len(body) < bytes.MinRead {
			larger, err := o.grow(body)
			if err != nil {
				return nil, err
			}
			body = larger
		}
		n, err := o.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch err {
		case nil:
		case io.EOF:
			return body, nil
		default:
			return nil, err
		}
	}
}

func (o *Body) grow(body []byte) ([]byte, error) {
	size := min(max(2*cap(body), firstRoom), int(o.limit.Bytes)+2*bytes.MinRead)
	switch {
	case o.inflater == nil && o.want >= 0:
		size = int(o.want) + 2*bytes.MinRead // the extra room is for the final read, which returns io.EOF
	case cap(body) >= doublingTo:
		size = min(cap(body)+cap(body)/4, size)
	}
	size = max(size, len(body)+bytes.MinRead)
	if err := o.take(int64(size - cap(body))); err != nil {
		return nil, err
	}
	return append(make([]byte, 0, size), body...), nil
}

func (o *Body) take(n int64) error {
	if o.limit.Take == nil || n <= 0 {
		return nil
	}
	err := o.limit.Take(n)
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return &bodyError{text: err.Error(), cause: err, ours: true}
}

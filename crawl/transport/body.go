package transport

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
)

// maxPooledBuffer is the size in bytes from which a buffer is left to the
// garbage collector.
const maxPooledBuffer = 4 << 20

// Bodies reads response bodies into pooled buffers: whole, decoded, within
// limits of size, inflation and time. One serves a whole crawl; it is safe for
// concurrent use.
type Bodies struct {
	now       func() time.Time
	afterFunc func(time.Duration, func()) bodyTimer
	buffers   sync.Pool // of *bytes.Buffer
	gzip      sync.Pool // of *inflatedBody
	brotli    sync.Pool // of *inflatedBody
}

func NewBodies() *Bodies {
	return &Bodies{
		now:       time.Now,
		afterFunc: func(d time.Duration, f func()) bodyTimer { return time.AfterFunc(d, f) },
		buffers:   sync.Pool{New: func() any { return new(bytes.Buffer) }},
		gzip:      sync.Pool{New: func() any { return &inflatedBody{inflater: new(gzip.Reader), coding: "gzip"} }},
		brotli:    sync.Pool{New: func() any { return &inflatedBody{inflater: new(brotli.Reader), coding: "brotli"} }},
	}
}

// Read returns the decoded body of resp, which it closes. The buffer is the
// caller's until it is given to Release. Every error but that of a done ctx is
// a *bodyError; a body that did not arrive whole is always an error.
func (b *Bodies) Read(ctx context.Context, resp *http.Response, limit Limit) (*bytes.Buffer, error) {
	watch := b.watch(ctx, resp.Body)
	defer watch.stop()
	sent := &sentBody{body: resp.Body, want: resp.ContentLength, limit: limit, watch: watch}
	buf := b.buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if err := b.fill(buf, sent, contentEncoding(resp)); err != nil {
		b.Release(buf)
		return nil, err
	}
	return buf, nil
}

// Open returns the body of resp as decoded, for one who reads it piece by piece, with
// the limits and errors of Read. Closing it closes the body of resp.
func (b *Bodies) Open(ctx context.Context, resp *http.Response, limit Limit) (io.ReadCloser, error) {
	watch := b.watch(ctx, resp.Body)
	sent := &sentBody{body: resp.Body, want: resp.ContentLength, limit: limit, watch: watch}
	body, err := b.decode(sent, contentEncoding(resp))
	if err != nil {
		watch.stop()
		return nil, err
	}
	return openBody{body, watch}, nil
}

// openBody is a decoded body that is read as it arrives.
type openBody struct {
	io.ReadCloser
	watch *bodyWatch
}

// Close gives the decompressor back and closes the body.
func (o openBody) Close() error {
	err := o.ReadCloser.Close()
	o.watch.stop()
	return err
}

// Release takes a buffer back. Its bytes must no longer be in use.
func (b *Bodies) Release(buf *bytes.Buffer) {
	if buf != nil && buf.Cap() <= maxPooledBuffer {
		b.buffers.Put(buf)
	}
}

func (b *Bodies) fill(buf *bytes.Buffer, sent *sentBody, encoding string) error {
	if sent.want > sent.limit.Bytes {
		return sent.tooLong()
	}
	body, err := b.decode(sent, encoding)
	if err != nil {
		return err
	}
	defer body.Close()
	if body == io.ReadCloser(sent) && sent.want > 0 { // room for all of it, and for the last read that finds nothing
		buf.Grow(int(sent.want) + bytes.MinRead)
	}
	if _, err := buf.ReadFrom(body); err != nil {
		return err
	}
	return sent.complete()
}

package crawl

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/klauspost/compress/gzip"
)

// maxPooledBuffer is the size in bytes from which a buffer is left to the
// garbage collector.
const maxPooledBuffer = 4 << 20

// bodyReader reads response bodies into pooled buffers: whole, decoded, within
// limits of size, inflation and time. One serves a whole crawl; it is safe for
// concurrent use.
type bodyReader struct {
	now       func() time.Time
	afterFunc func(time.Duration, func()) bodyTimer
	buffers   sync.Pool // of *bytes.Buffer
	inflaters sync.Pool // of *gzip.Reader
}

func newBodyReader() *bodyReader {
	return &bodyReader{
		now:       time.Now,
		afterFunc: func(d time.Duration, f func()) bodyTimer { return time.AfterFunc(d, f) },
		buffers:   sync.Pool{New: func() any { return new(bytes.Buffer) }},
		inflaters: sync.Pool{New: func() any { return new(gzip.Reader) }},
	}
}

// read returns the decoded body of resp, which it closes. The buffer is the
// caller's until it is given to release. Every error but that of a done ctx is
// a *bodyError; a body that did not arrive whole is always an error.
func (b *bodyReader) read(ctx context.Context, resp *http.Response, limit bodyLimit) (*bytes.Buffer, error) {
	watch := b.watch(ctx, resp.Body)
	defer watch.stop()
	sent := &sentBody{body: resp.Body, want: resp.ContentLength, limit: limit, watch: watch}
	buf := b.buffers.Get().(*bytes.Buffer)
	buf.Reset()
	if err := b.fill(buf, sent, strings.Join(resp.Header.Values("Content-Encoding"), ", ")); err != nil {
		b.release(buf)
		return nil, err
	}
	return buf, nil
}

// release takes a buffer back. Its bytes must no longer be in use.
func (b *bodyReader) release(buf *bytes.Buffer) {
	if buf != nil && buf.Cap() <= maxPooledBuffer {
		b.buffers.Put(buf)
	}
}

func (b *bodyReader) fill(buf *bytes.Buffer, sent *sentBody, encoding string) error {
	if sent.want > sent.limit.bytes {
		return sent.tooLong()
	}
	switch encoding = strings.ToLower(strings.TrimSpace(encoding)); encoding {
	case "", "identity":
		if sent.want > 0 { // room for all of it, and for the last read that finds nothing
			buf.Grow(int(sent.want) + bytes.MinRead)
		}
		if _, err := buf.ReadFrom(sent); err != nil {
			return err
		}
	case "gzip", "x-gzip":
		if err := b.inflate(buf, sent); err != nil {
			return err
		}
	default:
		return bodyErrorf(nil, "content encoding %q is not understood, though only gzip was asked for", encoding)
	}
	return sent.complete()
}

func (b *bodyReader) inflate(buf *bytes.Buffer, sent *sentBody) error {
	inflater := b.inflaters.Get().(*gzip.Reader)
	defer b.inflaters.Put(inflater)
	err := inflater.Reset(sent)
	if err == io.EOF { // no body at all
		return nil
	}
	if err == nil {
		_, err = buf.ReadFrom(&inflatedBody{inflater: inflater, sent: sent})
	}
	var explained *bodyError
	switch {
	case err == nil:
		return nil
	case sent.err != nil:
		return sent.err
	case errors.As(err, &explained):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return bodyErrorf(err, "gzip body cut: it ends after %s in the middle of its data", formatBytes(sent.n))
	}
	return bodyErrorf(err, "gzip body damaged: %v", err)
}

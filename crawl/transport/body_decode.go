package transport

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"sitesync/internal/document"
)

// acceptEncoding names the content codings (RFC 9110, section 8.4.1) that decode
// undoes. The transport asks for these and decodes nothing itself.
const acceptEncoding = "gzip, br"

const (
	maxInflation  = 200     // decoded bytes a byte sent
	freeInflation = 1 << 20 // decoded bytes before that counts
)

// contentEncoding returns the content codings of an answer, "" for none.
func contentEncoding(resp *http.Response) string {
	return strings.ToLower(strings.TrimSpace(strings.Join(resp.Header.Values("Content-Encoding"), ", ")))
}

// decode returns a reader of a body without its content coding, to be closed when
// nothing reads it any more. The reader's errors are *bodyErrors.
func (b *Bodies) decode(sent *sentBody, encoding string) (io.ReadCloser, error) {
	switch encoding {
	case "", "identity":
		return sent, nil
	case "gzip", "x-gzip":
		return inflate(&b.gzip, sent)
	case "br":
		return inflate(&b.brotli, sent)
	}
	return nil, bodyErrorf(nil, "content encoding %q is not understood, though only %s was asked for", encoding, acceptEncoding)
}

// inflater is a decompressor that can be used again.
type inflater interface {
	io.Reader
	Reset(io.Reader) error // may read the head of the data
}

// inflatedBody is a compressed body as decoded, within its limits. It is used
// again: Close gives it back to its pool.
type inflatedBody struct {
	inflater inflater
	coding   string
	pool     *sync.Pool
	sent     *sentBody
	n        int64 // bytes so far
}

func inflate(pool *sync.Pool, sent *sentBody) (io.ReadCloser, error) {
	i := pool.Get().(*inflatedBody)
	i.pool, i.sent, i.n = pool, sent, 0
	err := i.inflater.Reset(sent)
	if err == nil {
		return i, nil
	}
	defer func() { _ = i.Close() }()
	if sent.n == 0 && err == io.EOF { // no body at all
		return sent, nil
	}
	return nil, i.explain(err)
}

// Close gives the decompressor back.
func (i *inflatedBody) Close() error {
	i.sent = nil
	i.pool.Put(i)
	return nil
}

func (i *inflatedBody) Read(p []byte) (int, error) {
	n, err := i.inflater.Read(p)
	i.n += int64(n)
	switch {
	case i.n > i.sent.limit.Bytes:
		return n, i.sent.tooLong()
	case i.n > freeInflation && i.n > maxInflation*i.sent.n:
		return n, bodyErrorf(nil, "%s body inflates more than %d to 1: refused", i.coding, maxInflation)
	case err == nil || err == io.EOF:
		return n, err
	}
	return n, i.explain(err)
}

// explain tells a body that was not sent whole from one that is damaged.
func (i *inflatedBody) explain(err error) error {
	switch {
	case i.sent.err != nil:
		return i.sent.err
	case errors.Is(err, io.ErrUnexpectedEOF) && i.sent.n == 0: // no body at all
		return io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		return bodyErrorf(err, "%s body cut: it ends after %s in the middle of its data", i.coding, document.FormatBytes(i.sent.n))
	}
	return bodyErrorf(err, "%s body damaged: %v", i.coding, err)
}

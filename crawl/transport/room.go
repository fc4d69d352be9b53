package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
)

const (
	firstRoom  = 32 << 10 // initial size of a buffer, in bytes
	doublingTo = 1 << 20  // up to this size a buffer doubles; a larger one grows by a quarter
)

// readRest appends the rest of the body to its beginning, and returns both.
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

// grow returns body with a larger capacity. If Content-Length is known, the capacity suffices for the whole
// body.
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

// take reserves n bytes of memory and may wait for them.
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

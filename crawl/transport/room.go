package transport

import (
	"bytes"
	"context"
	"errors"
	"io"
)

const (
	firstRoom  = 32 << 10 // bytes of a buffer at first
	doublingTo = 1 << 20  // up to here a buffer doubles; beyond, it grows by a quarter
)

// readInto reads the whole body. Where its length is known the buffer has it at once.
func (o *Body) readInto(buf *bytes.Buffer) error {
	if err := o.take(int64(buf.Cap())); err != nil {
		return err
	}
	for {
		if buf.Available() < bytes.MinRead {
			if err := o.grow(buf); err != nil {
				return err
			}
		}
		room := buf.AvailableBuffer()
		n, err := o.Read(room[:cap(room)])
		buf.Write(room[:n]) // they are there already
		switch err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

func (o *Body) grow(buf *bytes.Buffer) error {
	most := int(o.limit.Bytes) + 2*bytes.MinRead
	size := buf.Cap()
	switch {
	case o.inflater == nil && o.want >= 0:
		size = int(o.want) + 2*bytes.MinRead // the last read finds nothing
	case size < doublingTo:
		size = min(max(2*size, firstRoom), most)
	default:
		size = min(size+size/4, most)
	}
	size = max(size, buf.Len()+bytes.MinRead) // a pooled buffer may be larger than its body
	if err := o.take(int64(size - buf.Cap())); err != nil {
		return err
	}
	larger := append(make([]byte, 0, size), buf.Bytes()...)
	*buf = *bytes.NewBuffer(larger)
	return nil
}

// take asks for memory, and may wait for it.
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

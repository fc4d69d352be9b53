package transport

import (
	"errors"
	"io"

	"sitesync/internal/document"
)

// Limit bounds a body, as sent and as decoded.
type Limit struct {
	Bytes int64
	Key   string // what sets it in the configuration, such as "fetch.max_body"
}

// sentBody is a body as it is sent: it counts bytes and keeps to the limits.
type sentBody struct {
	body  io.Reader
	n     int64 // bytes so far
	want  int64 // Content-Length, -1 when there is none
	limit Limit
	watch *bodyWatch
	err   error // the first error, io.EOF aside
}

func (s *sentBody) Read(p []byte) (int, error) {
	n, err := s.body.Read(p)
	s.n += int64(n)
	s.watch.arrived(n)
	switch {
	case s.n > s.limit.Bytes:
		err = s.tooLong()
	case err != nil && err != io.EOF:
		err = s.broken(err)
	default:
		return n, err
	}
	s.err = err
	return n, err
}

// Close does nothing: the watch closes the body.
func (s *sentBody) Close() error { return nil }

func (s *sentBody) tooLong() error {
	return bodyErrorf(nil, "body is over %s (%s)", document.FormatBytes(s.limit.Bytes), s.limit.Key)
}

// broken explains a read that failed: by our own doing or on its way.
func (s *sentBody) broken(err error) error {
	var slow *bodyError
	switch cause := s.watch.cause(); {
	case errors.As(cause, &slow):
		return bodyErrorf(slow, "%v: %s", slow, s.progress())
	case cause != nil:
		return cause
	case errors.Is(err, io.ErrUnexpectedEOF):
		return bodyErrorf(err, "body cut: %s", s.progress())
	}
	return bodyErrorf(err, "body cut: %s (%s)", s.progress(), Explain(err))
}

// complete returns an error when fewer or more bytes came than were announced.
func (s *sentBody) complete() error {
	if s.want >= 0 && s.n != s.want {
		return bodyErrorf(io.ErrUnexpectedEOF, "body cut: %s", s.progress())
	}
	return nil
}

func (s *sentBody) progress() string {
	if s.want < 0 {
		return document.FormatBytes(s.n) + " arrived"
	}
	return document.FormatBytes(s.n) + " of " + document.FormatBytes(s.want) + " arrived"
}

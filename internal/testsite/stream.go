package testsite

import (
	"bytes"
	"io"
	"net"
	"net/http"

	"github.com/klauspost/compress/flate"
)

// endlessCap bounds Endless, should a client never go away.
const endlessCap = 4 << 30

// sending is a fault of the way an answer is sent: never conditional, never
// compressed on the way.
func sending(send func(w http.ResponseWriter, r *http.Request, a *Answer)) Fault {
	return func(_ *http.Request, a *Answer) { a.send = send }
}

// Drip sends the headers at once and then n bytes of the body for each value
// that gate gives; all that is left once gate is closed.
func Drip(n int, gate <-chan struct{}) Fault {
	return sending(func(w http.ResponseWriter, r *http.Request, a *Answer) {
		a.begin(w, int64(len(a.Body)))
		for body := a.Body; len(body) > 0; {
			_ = http.NewResponseController(w).Flush()
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
			part := body[:min(n, len(body))]
			_, _ = w.Write(part)
			body = body[len(part):]
		}
	})
}

// Raw sends these very bytes in place of an HTTP answer and closes the connection.
func Raw(answer string) Fault {
	return sending(func(w http.ResponseWriter, _ *http.Request, _ *Answer) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			abort(w)
		}
		_, _ = io.WriteString(conn, answer)
		_ = conn.Close()
	})
}

// Cut announces the whole body, sends n bytes of it and closes the connection.
func Cut(n int) Fault {
	return sending(func(w http.ResponseWriter, _ *http.Request, a *Answer) {
		a.begin(w, int64(max(len(a.Body), n+1)))
		_, _ = w.Write(a.Body[:min(n, len(a.Body))])
		abort(w)
	})
}

// Truncate sends the first n bytes of the body as if they were all of it, without a
// length: nothing but the missing rest tells that they are not.
func Truncate(n int) Fault {
	return sending(func(w http.ResponseWriter, _ *http.Request, a *Answer) {
		a.begin(w, 0)
		_ = http.NewResponseController(w).Flush() // or net/http measures a short body
		_, _ = w.Write(a.Body[:min(n, len(a.Body))])
	})
}

// Endless repeats the body, without a length, until the client goes away; a
// client that stays is cut off after 4 GiB.
func Endless() Fault {
	return sending(func(w http.ResponseWriter, _ *http.Request, a *Answer) {
		a.begin(w, 0)
		_ = repeat(w, a.Body, endlessCap)
		abort(w)
	})
}

// Oversize repeats the body up to size bytes, with the length announced.
func Oversize(size int64) Fault {
	return sending(func(w http.ResponseWriter, _ *http.Request, a *Answer) {
		a.begin(w, size)
		_ = repeat(w, a.Body, size)
	})
}

// Bomb sends a gzip body that inflates to size bytes of spaces, at about 1000:1,
// whether the client asked for gzip or not.
func Bomb(size int64) Fault {
	return sending(func(w http.ResponseWriter, _ *http.Request, a *Answer) {
		const unit = 1 << 20
		packer := newPacker(flate.DefaultCompression)
		spaces := pack(packer, bytes.Repeat([]byte{' '}, unit))
		rest := pack(packer, bytes.Repeat([]byte{' '}, int(size%unit)))
		a.set("Content-Encoding", "gzip")
		a.begin(w, 0)
		_ = writeGzip(w, func(yield func(piece) bool) {
			for n := size / unit; n > 0; n-- {
				if !yield(spaces) {
					return
				}
			}
			yield(rest)
		})
	})
}

// Reset ends the connection with a TCP reset after n bytes of the body; when n
// is negative, before the first byte of the answer.
func Reset(n int) Fault {
	return sending(func(w http.ResponseWriter, _ *http.Request, a *Answer) {
		if n >= 0 {
			a.begin(w, int64(max(len(a.Body), n+1)))
			_, _ = w.Write(a.Body[:min(n, len(a.Body))])
			_ = http.NewResponseController(w).Flush()
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			abort(w)
		}
		reset(conn)
	})
}

// reset closes a connection in such a way that the peer gets a reset.
func reset(conn net.Conn) {
	inner := conn
	if secured, ok := conn.(interface{ NetConn() net.Conn }); ok {
		inner = secured.NetConn()
	}
	if tcp, ok := inner.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = inner.Close()
}

// abort sends what is written and drops the connection, so that no client can
// take the answer for a whole one.
func abort(w http.ResponseWriter) {
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// repeat writes unit again and again until size bytes are written or the
// client has gone.
func repeat(w io.Writer, unit []byte, size int64) error {
	if len(unit) == 0 {
		unit = []byte{'\n'}
	}
	block := bytes.Repeat(unit, 1+64<<10/len(unit)) // whole units, about 64 KiB
	for size > 0 {
		n, err := w.Write(block[:min(size, int64(len(block)))])
		if err != nil {
			return err
		}
		size -= int64(n)
	}
	return nil
}

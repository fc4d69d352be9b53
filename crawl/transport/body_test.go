package transport

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/gzip"
)

// bodyServer answers every request with answer, over HTTP/2 or 1.1.
func bodyServer(t *testing.T, http2 bool, answer http.HandlerFunc) (get func(ctx context.Context, path string) *http.Response) {
	t.Helper()
	server := httptest.NewUnstartedServer(answer)
	roots := x509.NewCertPool()
	if server.EnableHTTP2 = http2; http2 {
		server.StartTLS()
		roots.AddCert(server.Certificate())
	} else {
		server.Start()
	}
	_, client := transportTo(t, Options{RootCAs: roots}, server.URL)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return func(ctx context.Context, path string) *http.Response {
		t.Helper()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
		if err != nil {
			panic(err)
		}
		resp, err := client.Do(req)
		if err != nil {
			panic(err) // not Fatal: also called from other goroutines
		}
		return resp
	}
}

func gzipped(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	w.Write(data)
	w.Close()
	return out.Bytes()
}

// rawAnswer writes an answer byte by byte as given and closes the connection.
func rawAnswer(header string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		io.WriteString(conn, "HTTP/1.1 200 OK\r\n"+header+"\r\n\r\n")
		conn.Write(body)
	}
}

func encodedAnswer(encoding string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", encoding)
		w.Write(body)
	}
}

func TestReadBody(t *testing.T) {
	const limit = 2 << 20
	text := []byte(strings.Repeat("Öffnungszeiten and more. ", 400))
	packed := gzipped(text)
	large := bytes.Repeat([]byte("x"), limit)
	noise := make([]byte, limit) // compresses badly, so that size is met before the ratio
	for i, state := 0, uint32(1); i < len(noise); i++ {
		state = state*1664525 + 1013904223
		noise[i] = byte(state >> 24)
	}
	damaged := bytes.Clone(packed)
	damaged[len(damaged)-6] ^= 0xFF // the checksum
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		want   []byte
		fails  string
	}{
		"plain":              {answer: encodedAnswer("", text), want: text},
		"identity":           {answer: encodedAnswer("Identity", text), want: text},
		"gzip":               {answer: encodedAnswer("gzip", packed), want: text},
		"x-gzip":             {answer: encodedAnswer("X-GZIP", packed), want: text},
		"gzip in members":    {answer: encodedAnswer("gzip", append(gzipped(text[:100]), gzipped(text[100:])...)), want: text},
		"empty":              {answer: encodedAnswer("", nil), want: nil},
		"empty as gzip":      {answer: encodedAnswer("gzip", nil), want: nil},
		"at the limit":       {answer: encodedAnswer("", large), want: large},
		"over the limit":     {answer: encodedAnswer("", append(large, 'x')), fails: "body is over 2.1 MB (fetch.max_body)"},
		"over, no length":    {answer: rawAnswer("Connection: close", append(large, 'x')), fails: "body is over 2.1 MB (fetch.max_body)"},
		"bomb":               {answer: encodedAnswer("gzip", gzipped(large)), fails: "inflates more than 200 to 1"},
		"gzip over":          {answer: encodedAnswer("gzip", gzipped(append(noise, 'x'))), fails: "body is over 2.1 MB (fetch.max_body)"},
		"gzip ends":          {answer: encodedAnswer("gzip", packed[:40]), fails: "gzip body cut: it ends after 40 bytes"},
		"deflate":            {answer: encodedAnswer("deflate", text), fails: `content encoding "deflate"`},
		"in two fields":      {answer: rawAnswer("Content-Encoding: gzip\r\nContent-Encoding: br\r\nConnection: close", packed), fails: `content encoding "gzip, br"`},
		"damaged gzip":       {answer: encodedAnswer("gzip", damaged), fails: "gzip body damaged"},
		"no coding":          {answer: encodedAnswer("none", text), want: text},
		"a charset":          {answer: encodedAnswer("UTF-8, binary", text), want: text},
		"a transfer's":       {answer: encodedAnswer("8bit", text), want: text},
		"chunks of a bucket": {answer: encodedAnswer("aws-chunked,gzip", packed), want: text},
		"plain as gzip":      {answer: encodedAnswer("gzip", text), want: text},
		"a byte as gzip":     {answer: encodedAnswer("gzip", []byte("x")), want: []byte("x")},
		"over as gzip":       {answer: encodedAnswer("gzip", append(large, 'x')), fails: "body is over 2.1 MB (fetch.max_body)"},
		"cut plain gzip":     {answer: rawAnswer("Content-Encoding: gzip\r\nContent-Length: 5000", text[:3000]), fails: "body cut: 3 KB of 5 KB arrived"},
		"cut at once":        {answer: rawAnswer("Content-Encoding: gzip\r\nContent-Length: 5000", packed[:1]), fails: "body cut: 1 byte of 5 KB arrived"},
		"zstd":               {answer: encodedAnswer("zstd, none", text), fails: `content encoding "zstd" is not understood, though only gzip was asked for`},
		"cut":                {answer: rawAnswer("Content-Length: 5000", text[:3000]), fails: "body cut: 3 KB of 5 KB arrived"},
		"cut after gzip":     {answer: rawAnswer("Content-Encoding: gzip\r\nContent-Length: 5000", packed), fails: "of 5 KB arrived"},
		"cut in chunks":      {answer: rawAnswer("Transfer-Encoding: chunked", []byte("5\r\nhello\r\n5\r\nwo")), fails: "body cut: 7 bytes arrived"},
		"announced larger":   {answer: rawAnswer("Content-Length: 5000000", text), fails: "body is over 2.1 MB (fetch.max_body)"},
	} {
		get := bodyServer(t, false, test.answer)
		buf, err := ReadBody(t.Context(), get(t.Context(), "/"), Limit{Bytes: limit, Key: "fetch.max_body"})
		var explained *bodyError
		switch {
		case test.fails == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case test.fails == "" && !bytes.Equal(buf, test.want):
			t.Errorf("%s: read %d bytes, want %d", name, len(buf), len(test.want))
		case test.fails != "" && (!errors.As(err, &explained) || !strings.Contains(err.Error(), test.fails)):
			t.Errorf("%s: %v, want %q", name, err, test.fails)
		case test.fails != "" && Explain(err) != err.Error():
			t.Errorf("%s: explained %q", name, Explain(err))
		}
	}
}

// TestReadByItsBeginning: the first KiB, decoded, says whether the rest is read, and up to which size.
func TestReadByItsBeginning(t *testing.T) {
	text := []byte(strings.Repeat("Opening hours. ", 200))
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		head   int
		bytes  int64
		want   int // bytes; -1: none
		fails  string
	}{
		"wanted":            {encodedAnswer("gzip", gzipped(text)), 1024, 4000, 3000, ""},
		"not wanted":        {encodedAnswer("gzip", gzipped(text)), 1024, 0, -1, ""},
		"short":             {encodedAnswer("", text[:7]), 7, 4000, 7, ""},
		"empty":             {encodedAnswer("", nil), 0, 4000, 0, ""},
		"empty, not wanted": {encodedAnswer("gzip", nil), 0, 0, -1, ""},
		"over":              {encodedAnswer("gzip", gzipped(text)), 1024, 2000, -1, "body is over 2 KB (key)"},
		"announced larger":  {rawAnswer("Content-Length: 5000", text), 1024, 2000, -1, "body is over 2 KB (key)"},
		"cut":               {rawAnswer("Content-Length: 5000", text), 1024, 9000, -1, "body cut: 3 KB of 5 KB arrived"},
		"cut at once":       {rawAnswer("Content-Length: 5000", text[:9]), -1, 9000, -1, "body cut: 9 bytes of 5 KB arrived"},
		"cut, not wanted":   {rawAnswer("Content-Length: 5000", text), 1024, 0, -1, ""},
	} {
		seen := -1
		of := func(head []byte) (int64, string) {
			seen = len(head)
			return test.bytes, "key"
		}
		resp := bodyServer(t, false, test.answer)(t.Context(), "/")
		buf, err := ReadBody(t.Context(), resp, Limit{Bytes: 2000, Key: "other", Of: of})
		got := -1
		if buf != nil {
			got = len(buf)
		}
		fault := ""
		if err != nil {
			fault = err.Error()
		}
		if got != test.want || seen != test.head || fault != test.fails {
			t.Errorf("%s: %d bytes by a head of %d, %v", name, got, seen, err)
		}
	}
}

func TestBodyFloor(t *testing.T) {
	for name, test := range map[string]struct {
		every time.Duration
		bytes int
		after time.Duration // when it is closed; 0: never in the 4 minutes looked at
	}{
		"nothing":               {time.Second, 0, 10 * time.Second},
		"a fast start, silence": {time.Hour, 0, 10 * time.Second},
		"at the floor":          {time.Second, 1000, 0},
		"in gulps":              {9 * time.Second, 9000, 0},
		"half of it":            {time.Second, 500, 19 * time.Second},
		"a byte a second":       {time.Second, 1, 11 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			watch, send := watchedBody(t)
			var closed time.Duration
			for second := time.Second; second <= 4*time.Minute && closed == 0; second += time.Second {
				<-time.After(time.Second)
				if context.Cause(watch.ctx) != nil {
					closed = second
				} else if second%test.every == 0 {
					send(test.bytes)
				}
			}
			// A reader that is behind is closed when its credit is spent.
			if closed != test.after {
				t.Errorf("%s: closed after %v, want %v", name, closed, test.after)
			}
			if test.after > 0 && !strings.Contains(fmt.Sprint(context.Cause(watch.ctx)), "slower than 1 KB/s") {
				t.Errorf("%s: %v", name, context.Cause(watch.ctx))
			}
		})
	}
}

// watchedBody returns the watch of a body that is read all the time and begins fast, and
// what sends bytes of it, a moment after a whole second.
func watchedBody(t *testing.T) (watch *bodyWatch, send func(int)) {
	body, sent := io.Pipe()
	watch = newBodyWatch(t.Context(), body)
	t.Cleanup(watch.stop)
	go io.CopyBuffer(struct{ io.Writer }{io.Discard}, watch, make([]byte, 1<<20))
	sent.Write(make([]byte, 100_000))
	<-time.After(time.Millisecond)
	return watch, func(n int) {
		if n > 0 {
			sent.Write(make([]byte, n))
		}
	}
}

func TestBodyTakesFiveMinutesAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		watch, send := watchedBody(t)
		for range 299 {
			<-time.After(time.Second)
			send(1 << 20)
		}
		if context.Cause(watch.ctx) != nil {
			t.Fatalf("closed early: %v", context.Cause(watch.ctx))
		}
		<-time.After(time.Second)
		if !strings.Contains(fmt.Sprint(context.Cause(watch.ctx)), "not finished after 5 minutes") {
			t.Errorf("%v", context.Cause(watch.ctx))
		}
	})
}

// A read that blocks on a body of which no more comes is ended by the clock.
func TestReadSilentBody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body, sent := io.Pipe()
		go io.WriteString(sent, "some")
		_, err := ReadBody(t.Context(), &http.Response{Body: body, ContentLength: 5000}, Limit{Bytes: 1 << 20})
		if err == nil || !strings.Contains(err.Error(), "body slower than 1 KB/s: ") || !strings.Contains(err.Error(), "of 5 KB arrived") {
			t.Errorf("silent: %v", err)
		}
	})
}

// A read that blocks on a silent server is ended by closing its body, as the end of a context does.
func TestReadBodyFromSilentServer(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		get := bodyServer(t, http2, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "5000")
			io.WriteString(w, "some")
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
		ctx, cancel := context.WithCancel(t.Context())
		reading := func(int64) error { // the last thing before the read
			time.AfterFunc(10*time.Millisecond, cancel)
			return nil
		}
		_, err := ReadBody(ctx, get(t.Context(), "/"), Limit{Bytes: 1 << 20, Take: reading})
		if !errors.Is(err, context.Canceled) || Explain(err) != "interrupted" {
			t.Errorf("HTTP/2 %v, interrupted: %v", http2, err)
		}
	}
}

package transport

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
)

// TestBodiesTakeMemory: a body asks for its memory before it uses it, whatever way it
// comes, and no buffer is much larger than its body.
func TestBodiesTakeMemory(t *testing.T) {
	const limit = 25e6
	for name, c := range map[string]struct {
		size   int
		length int64
		most   float64 // times the size
	}{
		"length known":   {9e6, 9e6, 1.01},
		"length unknown": {9e6, -1, 1.3},
		"small":          {3000, -1, 11},
	} {
		taken := int64(0)
		take := func(n int64) error {
			taken += n
			return nil
		}
		resp := &http.Response{ContentLength: c.length, Body: io.NopCloser(iotest.HalfReader(strings.NewReader(strings.Repeat("x", c.size))))}
		buf, err := ReadBody(t.Context(), resp, Limit{Bytes: limit, Take: take})
		if err != nil || len(buf) != c.size {
			t.Fatalf("%s: %v", name, err)
		}
		if int64(cap(buf)) > taken || float64(taken) > c.most*float64(c.size) {
			t.Errorf("%s: %d bytes in a buffer of %d, %d asked for", name, c.size, cap(buf), taken)
		}
	}
}

// TestBodyIsRefusedMemory: a body whose length says that it is too much is not read, one
// that grows so is given up; neither says anything against its host.
func TestBodyIsRefusedMemory(t *testing.T) {
	for _, length := range []int64{6e6, -1} {
		taken, body := int64(0), strings.NewReader(strings.Repeat("x", 6e6))
		take := func(n int64) error {
			taken += n
			if taken > 5e6 {
				return errors.New("it is too much")
			}
			return nil
		}
		_, err := ReadBody(t.Context(), &http.Response{ContentLength: length, Body: io.NopCloser(body)}, Limit{Bytes: 25e6, Take: take})
		if !IsOurs(err) || CanPass(err) || Explain(err) != "it is too much" {
			t.Errorf("length %d: %v", length, err)
		}
		if length > 0 && body.Len() != 6e6 {
			t.Errorf("%d bytes of it were read", 6e6-body.Len())
		}
	}
}

package bus_test

import (
	"io"
	"net"
	"regexp"
	"strings"
	"testing"
	"time"

	"sitesync/internal/fleet/bus"
)

// A server whose clock is an hour off is found out, whichever way: a proxy sets its clock.
func TestClockOffByAnHour(t *testing.T) {
	t.Parallel()
	port := serve(t, true)
	must(t, bus.Setup(t.Context(), plain(t, port), 1))
	for _, off := range []time.Duration{time.Hour, -time.Hour} {
		b, err := bus.Open(t.Context(), plain(t, shifted(t, port, off)))
		must(t, err)
		if (b.Skew - off).Abs() > bus.MaxSkew {
			t.Errorf("%s off, and found to be %s", off, b.Skew)
		}
	}
}

var stamp = regexp.MustCompile(`"ts":"[^"]*"`)

// shifted returns the port of a proxy before a server. Stream information is shorter than a
// segment, so a time stamp is never cut in two.
func shifted(t *testing.T, port string, off time.Duration) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		in, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err != nil {
			return
		}
		go func() { _, _ = io.Copy(out, in); _ = out.Close() }()
		for buf := make([]byte, 64<<10); ; {
			n, err := out.Read(buf)
			if err != nil {
				_ = in.Close()
				return
			}
			_, _ = in.Write(stamp.ReplaceAllFunc(buf[:n], func(was []byte) []byte {
				at, err := time.Parse(time.RFC3339Nano, string(was[6:len(was)-1]))
				if err != nil {
					return was
				}
				return []byte(`"ts":"` + at.Add(off).Format("2006-01-02T15:04:05."+strings.Repeat("0", len(was)-len(`"ts":"2006-01-02T15:04:05.Z"`))+"Z07:00") + `"`)
			}))
		}
	}()
	_, before, _ := net.SplitHostPort(l.Addr().String())
	return before
}

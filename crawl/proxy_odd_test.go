package crawl

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"sitesync/crawl/transport"
	"sitesync/internal/weburl"
)

// TestProxyOddAddress: an address that net/url would write differently is asked for
// byte for byte, directly and by a proxy.
func TestProxyOddAddress(t *testing.T) {
	for canonical, target := range map[string]string{
		"http://a.example/a%2Fb|c?d|e": "http://a.example/a%2Fb|c?d|e",
		"http://a.example//x|%2F":      "http://a.example//x|%2F",
		"http://a.example/plain?x":     "http://a.example/plain?x",
	} {
		var got string
		front := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = r.RequestURI }))
		defer front.Close()
		proxy, err := transport.ReadProxy("fetch.proxy", front.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		guard, err := transport.NewGuard([]string{"http://a.example"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		way := transport.New(transport.Options{Guard: guard, Proxy: proxy})
		defer way.CloseIdleConnections()
		url, err := weburl.ForRequest(canonical)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := way.RoundTrip((&http.Request{Method: http.MethodGet, URL: url, Host: url.Host}).WithContext(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if got != target {
			t.Errorf("%s: the proxy was asked for %q", canonical, got)
		}
	}
}

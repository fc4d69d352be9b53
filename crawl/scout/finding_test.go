package scout

import (
	"net/http"
	"strings"
	"testing"

	"sitesync/internal/document"
)

// TestHopIsReadable: what a person reads of an answer has an end, whatever its headers hold.
func TestHopIsReadable(t *testing.T) {
	long := "/" + strings.Repeat("é", 50_000)
	h := HopOf(&document.Page{URL: "https://a.test/", Header: http.Header{"Location": {long}, "Link": {"<short>", long}, "Cookie": {"x"}}})
	if want := long[:2047] + "…"; h.Location != want || len(h.Headers) != 1 || h.Headers["Link"][0] != "<short>" || h.Headers["Link"][1] != want {
		t.Errorf("Location of %d bytes, headers %.60q", len(h.Location), h.Headers)
	}
	secret := "https://user:" + strings.Repeat("secret", 1000) + "@a.test/"
	if h = HopOf(&document.Page{URL: "https://a.test/", Header: http.Header{"Location": {secret}}}); strings.Contains(h.Location, "secret") {
		t.Errorf("a long password is shown: %.60q", h.Location)
	}
}

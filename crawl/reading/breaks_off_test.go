package reading

import (
	"net/http"
	"strings"
	"testing"

	"sitesync/crawl/signs"
	"sitesync/internal/document"
	"sitesync/internal/weburl"
)

// TestBreaksOff: a page without a length whose end is missing is unread where the last
// look had it; after a look that failed, one that ends in a tag is taken as whole.
func TestBreaksOff(t *testing.T) {
	const whole, minified, cut = "<html><p>Ants and bees</p></body></HTML >\n", "<html><p>Ants and bees</p> \n", "<html><p>Ants and"
	ended := document.Known{Document: true, Ended: true}
	failing := document.Known{Document: true, Ended: true, Failing: true}
	for _, c := range []struct {
		name     string
		body     string
		measured bool
		known    document.Known
		ended    bool
		why      string
	}{
		{"whole", whole, false, ended, true, ""},
		{"whole, the end far from the end of the body", whole + "<!--" + strings.Repeat("x", 2*endTail) + "-->", false, ended, true, ""},
		{"cut", cut, false, ended, false, WhyBreaksOff},
		{"cut, with a length", cut, true, ended, false, ""},
		{"cut, and always was", cut, false, document.Known{Document: true}, false, ""},
		{"cut again", cut, false, failing, false, WhyBreaksOff},
		{"no end any more", minified, false, ended, false, WhyBreaksOff},
		{"no end any more, in the second run", minified, false, failing, false, ""},
	} {
		no := func(string) bool { return false }
		r := Reader{Canon: weburl.NewCanonicalizer(nil), OnlyFiles: no, Staged: no, IsStart: no, Absence: func(string) *signs.Absence { return nil }}
		p, _ := r.Read(&Answer{URL: "https://www.example.com/a", Status: http.StatusOK, Header: http.Header{}, Media: "text/html", Body: []byte(c.body), Unmeasured: !c.measured}, c.known)
		if p.Why != c.why || p.Ended != c.ended || (p.Seen == document.Unread) != (c.why != "") {
			t.Errorf("%s: %s, %q, ended %t", c.name, p.Seen, p.Why, p.Ended)
		}
	}
}

package query

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"sitesync/internal/service/web"
)

// TestHead: a long text is cut between characters.
func TestHead(t *testing.T) {
	if read := head("é"+strings.Repeat("x", maxQuoteBytes)+"é", maxQuoteBytes); len(read) > maxQuoteBytes {
		t.Errorf("%d bytes are read", len(read))
	}
	if !utf8.ValidString(head(strings.Repeat("é", maxQuoteBytes)[1:], maxQuoteBytes)) {
		t.Error("a character is cut")
	}
}

// FuzzQuestion: any body is refused as the client's fault or gives a query within its
// bounds.
func FuzzQuestion(f *testing.F) {
	for _, seed := range []string{`{"query":"a","conversationId":"b"}`, `{"query":1}`, `null`, `[`, `{"query":"\ud800","QUERY":" "}`, `{"query":"\u0000"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		asked, err := decodeQuestion(&web.Call{Body: body, Strict: true})
		if err != nil {
			var p web.Problem
			if !errors.As(err, &p) || p.Status/100 != 4 || p.Message == "" {
				t.Fatalf("want an error that tells the client, got %#v", err)
			}
			return
		}
		if strings.TrimSpace(asked.Query) == "" || !utf8.ValidString(asked.Query) {
			t.Errorf("%q is no query", asked.Query)
		}
	})
}

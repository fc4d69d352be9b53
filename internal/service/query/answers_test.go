package query

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sitesync/internal/service/web"
)

// TestHead: a long text is cut between characters.
func TestHead(t *testing.T) {
	if read := head("é"+strings.Repeat("x", sourceBytes)+"é", sourceBytes); len(read) > sourceBytes {
		t.Errorf("%d bytes are read", len(read))
	}
	if !utf8.ValidString(head(strings.Repeat("é", sourceBytes)[1:], sourceBytes)) {
		t.Error("a character is cut")
	}
}

// TestSentences: each is a part of the text, and none is longer than what is quoted.
func TestSentences(t *testing.T) {
	words := strings.Repeat("ab ", maxSentence/3)
	for text, want := range map[string][]string{
		"We open at 8. It is free. Closed":         {"We open at 8.", "It is free.", "Closed"},
		"図書館は九時に開きます。日曜日は休みです。":                    {"図書館は九時に開きます。", "日曜日は休みです。"},
		words + "end. Next.":                       {strings.TrimSpace(words), "end.", "Next."},
		strings.Repeat("x", maxSentence) + "y. Z.": {strings.Repeat("x", maxSentence), "y.", "Z."},
		strings.Repeat("図", maxSentence/3+1) + "。": {strings.Repeat("図", maxSentence/3), "図。"},
		"": nil,
	} {
		if got := slices.Collect(sentences(text)); !slices.Equal(got, want) {
			t.Errorf("%q: want %q, got %q", text, want, got)
		}
	}
}

// FuzzQuestion: any body is refused as the client's fault or gives a query within its
// bounds.
func FuzzQuestion(f *testing.F) {
	for _, seed := range []string{`{"query":"a","conversationId":"b"}`, `{"query":1}`, `null`, `[`, `{"query":"\ud800","QUERY":" "}`, `{"query":"\u0000"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		asked, err := decodeQuestion(body)
		if err != nil {
			var p web.Problem
			if !errors.As(err, &p) || p.Status/100 != 4 || p.Message == "" {
				t.Fatalf("want an error that tells the client, got %#v", err)
			}
			return
		}
		if strings.TrimSpace(asked.Query) == "" || len(asked.Query) > maxQuestion || !utf8.ValidString(asked.Query) {
			t.Errorf("%q is no query", asked.Query)
		}
	})
}

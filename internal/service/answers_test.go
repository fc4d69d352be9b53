package service

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sitesync/internal/service/web"
)

const (
	answerPath    = "/api/v4/10000001/7/search/answer"
	summarizePath = "/api/v4/10000001/7/search/summarize"
	townPages     = `[
{"id":"pool","fields":{"Title":"Pool <b>","Url":"https://town.example/pool","Language":"en","Content":"The pool opens at 8. It has four lanes & a café.\n<i>Dogs</i> stay outside."}},
{"id":"bare","fields":{"Title":"Library","Url":"https://town.example/library","Description":"The library lends books, and dogs stay outside there as well."}},
{"id":"rules","fields":{"Title":"Rules","Url":"https://town.example/rules","Language":"en","Content":"Be quiet. Be quiet."}},
{"id":"none","fields":{"Title":"Dogs","Url":"https://town.example/dogs"}}]`
)

// The bounds of answers.
const (
	answerBytes  = 600
	summaryBytes = 1200
)

type citation struct{ URL, Title, Text string }

// answered is what both endpoints answer.
type answered struct {
	ConversationID, ExchangeID, Answer, SummaryID, Summary string
	Citations                                              []citation
	NotSpecified                                           bool
}

func (l *local) ask(path, body string) (got answered) {
	l.t.Helper()
	if err := json.Unmarshal([]byte(l.want(http.StatusOK, http.MethodPost, path, body)), &got); err != nil {
		l.t.Fatal(err)
	}
	if !got.NotSpecified || got.Citations == nil {
		l.t.Errorf("want an answer marked as ours with an array of citations, got %+v", got)
	}
	return got
}

func TestAnswer(t *testing.T) {
	l := open(t, Options{})
	l.want(http.StatusOK, http.MethodPut, documents, townPages)
	pool := citation{"https://town.example/pool", "Pool <b>", "The pool opens at 8. It has four lanes & a café.\n<i>Dogs</i> stay outside."}
	library := citation{"https://town.example/library", "Library", "The library lends books, and dogs stay outside there as well."}
	tests := map[string]struct {
		query string
		want  []citation
	}{
		"content is as stored":  {"lanes", []citation{pool}},
		"a description":         {"lends", []citation{library}},
		"two documents":         {"dogs outside", []citation{pool, library}}, // and one without a text
		"other forms of a word": {"a lane", []citation{pool}},
		"a phrase":              {`"four lanes"`, []citation{pool}},
		"nothing":               {"aeroplane", []citation{}},
	}
	for name, test := range tests {
		body := fmt.Sprintf(`{"query":%q,"language":"en","unknown":[1]}`, test.query)
		for _, got := range []answered{l.ask(answerPath, body), l.ask(summarizePath, body)} {
			var texts []string
			for _, c := range got.Citations {
				texts = append(texts, c.Text)
			}
			slices.SortFunc(got.Citations, func(a, b citation) int { return strings.Compare(b.URL, a.URL) }) // which document matches best is not the point
			if got.Answer+got.Summary != strings.Join(texts, " ") || !slices.Equal(got.Citations, test.want) {
				t.Errorf("%s: want %q, got %+v", name, test.want, got)
			}
		}
	}
}

// TestAnswerBounds holds the texts to their bytes where there is more to say.
func TestAnswerBounds(t *testing.T) {
	l := open(t, Options{})
	for i := range 10 {
		l.put(testCrawler, page(fmt.Sprint(i), "Content="+strings.Repeat(fmt.Sprintf("Pool %d has water. ", i), 1000)))
	}
	answer, summary := l.ask(answerPath, `{"query":"pool"}`).Answer, l.ask(summarizePath, `{"query":"pool"}`).Summary
	if answer == "" || len(answer) > answerBytes || len(summary) <= len(answer) || len(summary) > summaryBytes {
		t.Errorf("want more in a summary, got an answer of %d bytes and a summary of %d", len(answer), len(summary))
	}
}

// lastBit returns an ID with another last character that stands for the same bytes.
func lastBit(id string) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	last := len(id) - 1
	return id[:last] + digits[strings.IndexByte(digits, id[last])+1:][:1]
}

// TestAnswerIDs: the IDs are known again after a restart, for what they were issued
// for alone; a conversation goes on under its own.
func TestAnswerIDs(t *testing.T) {
	path := filepath.Join(t.TempDir(), "service.db")
	var first, summary answered
	t.Run("before", func(t *testing.T) {
		l := open(t, Options{Path: path})
		first, summary = l.ask(answerPath, `{"query":"pool","conversationId":""}`), l.ask(summarizePath, `{"query":"pool"}`)
	})
	l := open(t, Options{Path: path})
	next := l.ask(answerPath, `{"query":"pool","conversationId":"`+first.ConversationID+`"}`)
	other := l.ask(answerPath, `{"query":"pool","conversationId":null}`)
	if next.ConversationID != first.ConversationID || next.ExchangeID == first.ExchangeID || other.ConversationID == first.ConversationID {
		t.Errorf("want the second exchange of one conversation, then another, got %+v, %+v, %+v", first, next, other)
	}
	tests := []struct {
		id, kind, parent string
		want             bool
	}{
		{first.ConversationID, web.IDConversation, "", true},
		{first.ExchangeID, web.IDExchange, first.ConversationID, true},
		{next.ExchangeID, web.IDExchange, first.ConversationID, true},
		{summary.SummaryID, web.IDSummary, "", true},
		{other.ExchangeID, web.IDExchange, first.ConversationID, false},
		{summary.SummaryID, web.IDConversation, "", false},
		{summary.SummaryID + "\n", web.IDSummary, "", false},
		{lastBit(summary.SummaryID), web.IDSummary, "", false},
	}
	for _, test := range tests {
		if customer, engine, ok := l.issued(test.id, test.kind, test.parent); ok != test.want || ok && (customer != testCustomer || engine != 7) {
			t.Errorf("%s %s: want %v, got %d, %d, %v", test.kind, test.id, test.want, customer, engine, ok)
		}
	}
	for _, bad := range []string{"made-up", first.ExchangeID, summary.SummaryID} {
		l.want(http.StatusBadRequest, http.MethodPost, answerPath, `{"query":"pool","conversationId":"`+bad+`"}`)
	}
	l.want(http.StatusBadRequest, http.MethodPost, "/api/v4/10000001/8/search/answer", `{"query":"pool","conversationId":"`+first.ConversationID+`"}`)
}

// issued returns whom an ID was issued for.
func (l *local) issued(id, kind, parent string) (customer, engine int64, ok bool) {
	return web.Signer(l.Secret).Issued(id, kind, parent)
}

// TestAnswerNobodyWaitsFor ends with the request, without a word in the log.
func TestAnswerNobodyWaitsFor(t *testing.T) {
	logged := &strings.Builder{}
	l := open(t, Options{Logger: slog.New(slog.NewTextHandler(logged, nil))})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := l.request(http.MethodPost, answerPath, `{"query":"pool"}`).WithContext(ctx)
	if got := direct(l, r); got.Code != http.StatusServiceUnavailable || logged.Len() > 0 {
		t.Errorf("want 503, got %d and %q in the log", got.Code, logged)
	}
}

package service

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"sitesync/internal/service/events"
	"sitesync/internal/wire"
)

const testEngine = 7

// eventPaths are the calls of sections 4.3 and 4.4 for engine 7.
var eventPaths = map[string]string{
	wire.EventQuery:           "/api/v3/10000001/7/search/pushstat/querylog",
	wire.EventClick:           "/api/v3/10000001/7/search/pushstat/clicklog",
	wire.EventFeedback:        "/api/v4/10000001/7/feedback",
	wire.EventSummaryFeedback: "/api/v4/10000001/7/search/summarize/feedback",
	wire.EventAnswerFeedback:  "/api/v4/10000001/7/search/answer/feedback",
	wire.EventAnswerClick:     "/api/v4/10000001/7/search/answer/click",
}

func siteKey(triple string) string {
	return "SiteKey " + base64.StdEncoding.EncodeToString([]byte(triple))
}

func basic(user, key string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+key))
}

var (
	rightSiteKey = siteKey("10000001:7:SearchKey")
	rightBasic   = basic("10000001", testKey)
)

// as sends a request with an Authorization header, "" for none.
func (l *local) as(authorization, method, path, body string) reached {
	l.t.Helper()
	req := l.request(method, path, body)
	req.Header.Del("Authorization")
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	return l.send(req)
}

// goodEvents are well-formed bodies, with what their answers begin with.
var goodEvents = map[string][2]string{
	wire.EventQuery:           {`{"sw":"opening hours","qid":"$q","dt":"mobile"}`, `{"id":"`},
	wire.EventClick:           {`{"sw":"opening hours","qid":"$q","clurl":"https://x.example/","ls":"searchresult"}`, `{"id":"`},
	wire.EventFeedback:        {`{"rating":"positive"}`, `{"value":{"eventId":"`},
	wire.EventSummaryFeedback: {`{"summaryId":"$s","rating":"negative"}`, ""},
	wire.EventAnswerFeedback:  {`{"conversationId":"$c","exchangeId":"$x","rating":"Positive"}`, ""},
	wire.EventAnswerClick:     {`{"conversationId":"$c","exchangeId":"$x","url":"https://x.example/"}`, `{}`},
}

func (l *local) events(kind string) []events.Event {
	l.t.Helper()
	var recorded []events.Event
	if err := json.Unmarshal([]byte(l.want(200, "GET", fmt.Sprintf("/_/events/%d/%d?kind=%s", testCustomer, testEngine, kind), "")), &recorded); err != nil {
		l.t.Fatal(err)
	}
	return recorded
}

// TestLongEventIsNotRead: anyone may send one, so what is too long is not gathered in
// memory; what is cut off only after the limit is too large, not cut.
func TestLongEventIsNotRead(t *testing.T) {
	l := open(t, Options{})
	conn := l.raw("POST", eventPaths[wire.EventFeedback], strings.Repeat(" ", 64<<10+1), 64<<10)
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("want 413, got %+v, %v", answer, err)
	}
}

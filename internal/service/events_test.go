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
	"time"

	"sitesync/internal/service/events"
	"sitesync/internal/service/web"
	"sitesync/internal/testsite/strike"
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

var (
	rightSiteKey = siteKey("10000001:7:SearchKey")
	rightBasic   = "Basic " + base64.StdEncoding.EncodeToString([]byte("10000001:"+testKey))
)

// as sends a request with an Authorization header, "" for none.
func (l *local) as(authorization, method, path, body string) reached {
	l.t.Helper()
	req, err := http.NewRequestWithContext(l.t.Context(), method, l.url+path, strings.NewReader(body))
	if err != nil {
		l.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if authorization != "" {
		req.Header.Set("Authorization", authorization)
	}
	return l.send(req)
}

// fill puts IDs that were issued here in the place of $q, $c, $x, $s (query,
// conversation, exchange, summary of engine 7) and $Q, $C, $X, $S (of engine 8).
func (l *local) fill(text string) string {
	for i, engine := range []int64{testEngine, 8} {
		conversation := web.Signer(l.Secret).Issue(web.IDConversation, testCustomer, engine, "")
		names := [][]string{{"$q", "$c", "$x", "$s"}, {"$Q", "$C", "$X", "$S"}}[i]
		text = strings.NewReplacer(names[0], web.Signer(l.Secret).Issue(web.IDQuery, testCustomer, engine, ""), names[1], conversation,
			names[2], web.Signer(l.Secret).Issue(web.IDExchange, testCustomer, engine, conversation), names[3], web.Signer(l.Secret).Issue(web.IDSummary, testCustomer, engine, "")).Replace(text)
	}
	return text
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

// TestEventSchemes is the table of sections 4.3, 4.4 and 5.3; what is not let in is not
// recorded.
func TestEventSchemes(t *testing.T) {
	const yes, no, forbidden = http.StatusOK, http.StatusUnauthorized, http.StatusForbidden
	takes := map[string]struct{ siteKey, basic, none int }{
		wire.EventQuery: {yes, no, no}, wire.EventClick: {yes, no, no}, wire.EventFeedback: {yes, yes, yes},
		wire.EventSummaryFeedback: {yes, yes, no}, wire.EventAnswerFeedback: {yes, no, no}, wire.EventAnswerClick: {yes, yes, no},
	}
	l := open(t, Options{Now: func() time.Time { return time.Unix(1800000000, 0) }})
	for kind, want := range takes {
		for _, test := range []struct {
			authorization string
			want          int
		}{
			{rightSiteKey, want.siteKey}, {rightBasic, want.basic}, {"", want.none},
			{siteKey("10000001:8:SearchKey"), forbidden}, {siteKey("10000002:7:SearchKey"), forbidden},
			{siteKey("10000001:7:Other"), no}, {"SiteKey ???", no}, {"Bearer x", no}, {strings.Replace(rightBasic, "==", "", 1) + "eA==", no},
		} {
			before := l.events(kind)
			got := l.as(test.authorization, "POST", eventPaths[kind], l.fill(goodEvents[kind][0]))
			if got.status != test.want {
				t.Errorf("%s as %q: want %d, got %+v", kind, test.authorization, test.want, got)
			}
			if after := l.events(kind); len(after)-len(before) != btoi(test.want == yes) {
				t.Errorf("%s as %q: %d events became %d", kind, test.authorization, len(before), len(after))
			}
			switch challenge := strings.Join(got.header.Values("WWW-Authenticate"), "; "); {
			case test.want == yes:
				l.wantAcknowledged(kind, got.body)
			case got.body != `{"message":"unauthorized"}`+"\n":
				t.Errorf("%s: want the unauthorized body, got %s", kind, got.body)
			case test.want == no && (!strings.Contains(challenge, "SiteKey realm=") || strings.Contains(challenge, "Basic realm=") != (want.basic == yes)):
				t.Errorf("%s: WWW-Authenticate is %q", kind, challenge)
			}
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (l *local) events(kind string) []events.Event {
	l.t.Helper()
	was := l.Switches()
	l.SetSwitches(Switches{})
	defer l.SetSwitches(was)
	var recorded []events.Event
	if err := json.Unmarshal([]byte(l.want(200, "GET", fmt.Sprintf("/_/events/%d/%d?kind=%s", testCustomer, testEngine, kind), "")), &recorded); err != nil {
		l.t.Fatal(err)
	}
	return recorded
}

// wantAcknowledged compares an answer with the event that was recorded last.
func (l *local) wantAcknowledged(kind, body string) {
	l.t.Helper()
	events := l.events(kind)
	e := events[len(events)-1]
	want := map[string]string{
		wire.EventQuery: fmt.Sprintf("{%q:%q}\n", "id", e.ID), wire.EventClick: fmt.Sprintf("{%q:%q}\n", "id", e.ID), wire.EventAnswerClick: "{}\n",
		wire.EventFeedback: fmt.Sprintf(`{"value":{"eventId":%q,"feedbackId":%q}}`+"\n", e.ID, e.Event["feedbackId"]),
	}
	if body != want[kind] || e.ID == "" || kind == wire.EventFeedback && e.Event["feedbackId"] == "" || !e.At.Equal(time.Unix(1800000000, 0)) {
		l.t.Errorf("%s was answered %q and recorded as %+v", kind, body, e)
	}
}

// TestEventBodies: what sections 2.8 to 2.11 and 7 say of each body. A message that
// begins with M is {Message}.
func TestEventBodies(t *testing.T) {
	const id = "123e4567-e89b-12d3-a456-426614174000"
	type tests map[string]string // body: "" when taken, else what the message holds
	for kind, bodies := range map[string]tests{
		"any": { // sent to all six
			``: "JSON object", `null`: "JSON object", `[]`: "JSON object", `"x"`: "JSON object", `{} {}`: "JSON object", `{"sw":`: "JSON object",
			`{"comment":1}`: "comment must be a string", `{"comment":null}`: "comment must be a string", `{"comment":["x"]}`: "comment must be a string",
			`{"comment":{}}`: "comment must be a string", `{"rating":true}`: "rating must be a string",
		},
		wire.EventQuery: {
			`{"sw":"x","qid":"elsewhere","own":"kept","ban":"2"}`: "", `{"sw":"x","qid":"$q","dt":"tablet"}`: "", `{"sw":"x","qid":"$s"}`: "",
			`{"qid":"$q"}`: "sw is required", `{"sw":" ","qid":"$q"}`: "sw is required", `{"sw":"x"}`: "qid is required", `{"SW":"x","qid":"$q"}`: "sw is required",
			`{"sw":"x","qid":"$q","dt":"Mobile"}`: "dt must be", `{"sw":"x","qid":"$q","dt":""}`: "dt must be",
			`{"sw":"x","qid":"$Q"}`: "Mismatch", `{"sw":"x","qid":"$q","sz":"","pn":"","rt":"12.5"}`: "",
			`{"sw":"x","qid":"$q","sz":"big"}`: "sz must be a size", `{"sw":"x","qid":"$q","rc":"-1"}`: "rc must be a number", `{"sw":"x","qid":"$q","pn":"one"}`: "pn must be a number",
		},
		wire.EventClick: {
			`{"ls":"banner","cloi":"3"}`: "", `{"ls":"searchresult","dt":"desktop","qid":"$q"}`: "",
			`{}`: "ls is required", `{"ls":"SearchResult"}`: "ls must be", `{"ls":"banner","cli":"first"}`: "cli must be a number", `{"ls":"banner","dt":"phone"}`: "dt must be", `{"ls":"banner","qid":"$Q"}`: "Mismatch",
		},
		wire.EventFeedback: {
			`{}`: "", `{"feedbackId":"` + id + `","deviceType":"watch","ip":"192.0.2.1"}`: "", `{"qid":"$Q"}`: "", `{"screenResolution":"1920x1080"}`: "", `{"screenResolution":""}`: "screenResolution must be a size", `{"screenResolution":"big"}`: "screenResolution must be a size",
			`{"screenResolution":"-1x2"}`: "screenResolution must be a size", `{"screenResolution":"1920X1080"}`: "screenResolution must be a size", `{"type":null}`: "type must be a string",
			`{"rating":"Positive"}`: "rating must be", `{"rating":""}`: "rating must be", `{"feedbackId":"x"}`: "UUID", `{"feedbackId":""}`: "UUID",
			`{"feedbackId":"urn:uuid:` + id + `"}`: "UUID", `{"feedbackId":"` + strings.ReplaceAll(id, "-", "") + `"}`: "UUID",
		},
		wire.EventSummaryFeedback: {
			`{"summaryId":"$s"}`: "", `{"summaryId":"$s","rating":"positive","reason":"","x":""}`: "",
			`{"rating":"positive"}`: "summaryId is required", `{"summaryId":"$s","rating":"POSITIVE"}`: "rating must be",
			`{"summaryId":"$S"}`: "summaryId was not given out", `{"summaryId":"elsewhere"}`: "summaryId was not given out", `{"summaryId":"$q"}`: "summaryId was not given out",
		},
		wire.EventAnswerFeedback: {
			`{"conversationId":"$c","exchangeId":"$x","rating":"NEGATIVE"}`: "", `{"conversationId":"$c","exchangeId":"$x","comment":"c","rating":" "}`: "",
			`{"conversationId":"$c","exchangeId":"$x"}`: "all empty", `{"conversationId":"$c","exchangeId":"$x","rating":"","reason":" ","comment":"\n"}`: "all empty",
			`{"conversationId":"$c","exchangeId":"$x","rating":"good","comment":"c"}`: "rating must be",
			`{"exchangeId":"$x","reason":"r"}`:                                        "conversationId is required", `{"conversationId":"$c","reason":"r"}`: "exchangeId is required",
			`{"conversationId":"$C","exchangeId":"$X","reason":"r"}`: "conversationId was not given out", `{"conversationId":"$c","exchangeId":"$X","reason":"r"}`: "exchangeId was not given out",
		},
		wire.EventAnswerClick: {
			`{"conversationId":"$c","exchangeId":"$x","url":"https://x.example/"}`: "", `{"conversationId":"$c","exchangeId":"$x"}`: "url is required",
			`{"url":"https://x.example/","exchangeId":"$x"}`: "conversationId is required", `{"conversationId":"$c","exchangeId":"elsewhere","url":"u"}`: "exchangeId was not given out",
		},
	} {
		for body, want := range bodies {
			for to, path := range eventPaths {
				if kind != "any" && kind != to {
					continue
				}
				l := open(t, Options{})
				sent := l.fill(body)
				got := l.as(rightSiteKey, "POST", path, sent)
				if want == "" && got.status == http.StatusOK {
					l.wantRecorded(to, sent)
					continue
				}
				shape := `{"message":"`
				if want == "Mismatch" {
					shape, want = `{"Message":"`, "mismatch between site ID and customer ID"
				}
				if got.status != http.StatusBadRequest || !strings.HasPrefix(got.body, shape) || !strings.Contains(got.body, want) || len(l.events("")) != 0 {
					t.Errorf("%s %s: want 400 with %q and nothing recorded, got %+v", to, body, want, got)
				}
			}
		}
	}
}

// wantRecorded checks that the only event is a body as it was sent; search feedback may
// have got an ID.
func (l *local) wantRecorded(kind, sent string) {
	l.t.Helper()
	var want map[string]string
	if err := json.Unmarshal([]byte(sent), &want); err != nil {
		l.t.Fatal(err)
	}
	events := l.events("")
	if len(events) == 1 && kind == wire.EventFeedback && want["feedbackId"] == "" {
		want["feedbackId"] = events[0].Event["feedbackId"]
	}
	if len(events) != 1 || events[0].Kind != kind || fmt.Sprint(events[0].Event) != fmt.Sprint(want) {
		l.t.Errorf("want %v recorded, got %+v", want, events)
	}
}

// TestEventSwitches holds the switches for other readings against the default.
func TestEventSwitches(t *testing.T) {
	const own, elsewhere = `{"sw":"x","qid":"$q"}`, `{"sw":"x","qid":"mine"}`
	const click = `{"conversationId":"mine","exchangeId":"mine","url":"u"}`
	tests := []struct {
		switches   Switches
		kind, body string
		want       int
	}{
		{Switches{MismatchStatus: 409}, wire.EventQuery, `{"sw":"x","qid":"$Q"}`, 409},
		{Switches{CheckQueryIDs: true}, wire.EventQuery, own, 200},
		{Switches{CheckQueryIDs: true}, wire.EventQuery, elsewhere, 400},
		{Switches{CheckQueryIDs: true}, wire.EventClick, `{"ls":"banner","qid":"$c"}`, 400},
		{Switches{AcceptForeignIDs: true}, wire.EventAnswerClick, click, 200},
		{Switches{AcceptForeignIDs: true}, wire.EventAnswerFeedback, `{"conversationId":"mine","exchangeId":"mine","reason":"r"}`, 200},
		{Switches{AcceptForeignIDs: true}, wire.EventSummaryFeedback, `{"summaryId":"mine"}`, 200},
		{Switches{AcceptForeignIDs: true}, wire.EventSummaryFeedback, `{"summaryId":"$S"}`, 400},
		{Switches{}, wire.EventFeedback, `{"comment":"` + strings.Repeat("x", 64<<10) + `"}`, 413},
		{Switches{WrongRegion: true}, wire.EventFeedback, `{}`, 401},
	}
	for _, test := range tests {
		l := open(t, Options{Switches: test.switches})
		if got := l.as(rightSiteKey, "POST", eventPaths[test.kind], l.fill(test.body)); got.status != test.want || len(l.events("")) != btoi(test.want == 200) {
			t.Errorf("%+v, %s: want %d, got %+v", test.switches, test.body[:min(80, len(test.body))], test.want, got)
		}
	}
	l := open(t, Options{})
	l.strike(strike.Fault{Endpoint: "querylog", At: strike.After, Drop: true})
	if got := l.as(rightSiteKey, "POST", eventPaths[wire.EventQuery], elsewhere); got.err == nil || len(l.events("")) != 1 {
		t.Errorf("want a recorded event without an answer, got %+v", got)
	}
}

// TestLongEventIsNotRead: anyone may send one, so what is too long is not gathered in
// memory; what is cut off only after the limit is too large, not cut.
func TestLongEventIsNotRead(t *testing.T) {
	l := open(t, Options{})
	for kind, path := range eventPaths {
		conn, err := net.Dial("tcp", strings.TrimPrefix(l.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			path, conn.RemoteAddr(), rightSiteKey, 2*(64<<10), strings.Repeat(" ", 64<<10+1))
		if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
			t.Fatal(err)
		}
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || answer.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("%s: want 413, got %+v, %v", kind, answer, err)
		}
	}
}

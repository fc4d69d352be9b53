package push

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sitesync/internal/wire"
)

// with returns the good event of a kind with other values; "-" takes a key out.
func with(kind string, pairs ...string) Event {
	event := testEvents()[kind]
	for i := 0; i < len(pairs); i += 2 {
		event[pairs[i]] = pairs[i+1]
		if pairs[i+1] == "-" {
			delete(event, pairs[i])
		}
	}
	return event
}

func TestEventRules(t *testing.T) {
	for _, test := range []struct {
		kind  string
		pairs []string
		fault string // empty: fine
	}{
		{wire.EventQuery, []string{"sw", "-"}, "sw is missing"},
		{wire.EventQuery, []string{"sw", "-", "qid", " "}, "sw is missing; qid is missing"},
		{wire.EventQuery, []string{"pn", "2", "rc", "0", "ban", "1", "rt", "17", "sz", "1920x1080", "dt", "tablet", "other", "anything"}, ""},
		{wire.EventQuery, []string{"ban", ""}, ""},
		{wire.EventQuery, []string{"sz", "v", "rc", "many"}, ""},
		{wire.EventQuery, []string{"dt", "Mobile"}, "dt must be mobile"},
		{wire.EventQuery, []string{"bnrs", "a\x00"}, "bnrs holds a control character"},
		{wire.EventQuery, []string{"sw", "caf\xe9"}, "sw is not UTF-8"},
		{wire.EventQuery, []string{" ", "x"}, "is a key that is blank"},
		{wire.EventClick, []string{"ls", "-"}, "ls is missing"},
		{wire.EventClick, []string{"ls", "Banner"}, "ls must be searchresult or banner"},
		{wire.EventClick, []string{"ls", "banner", "cloi", "7", "cli", "3", "dt", "desktop"}, ""},
		{wire.EventClick, []string{"cli", "first"}, ""},
		{wire.EventClick, []string{"clurl", "javascript:alert(1)"}, "clurl must be a full web address"},
		{wire.EventClick, []string{"clurl", "https://user:word@example.org/"}, "clurl must be a full web address"},
		{wire.EventFeedback, []string{"rating", "Positive"}, "rating must be positive or negative"},
		{wire.EventFeedback, []string{"rating", "-", "deviceType", "watch"}, ""},
		{wire.EventFeedback, []string{"feedbackId", "7"}, "feedbackId must be a UUID"},
		{wire.EventFeedback, []string{"feedbackId", "{" + id36 + "}"}, "feedbackId must be a UUID"},
		{wire.EventFeedback, []string{"url", "example.org"}, "url must be a full web address"},
		{wire.EventFeedback, []string{"screenResolution", "big"}, "screenResolution must be a size"},
		{wire.EventFeedback, []string{"feedbackId", "-", "rating", "-"}, "the feedback is empty"},
		{wire.EventSummaryFeedback, []string{"summaryId", "-"}, "summaryId is missing"},
		{wire.EventSummaryFeedback, []string{"rating", "NEGATIVE"}, "rating must be positive or negative"},
		{wire.EventAnswerFeedback, []string{"conversationId", "-", "exchangeId", "-"}, "conversationId is missing; exchangeId is missing"},
		{wire.EventAnswerFeedback, []string{"rating", "nEGATIVE"}, ""},
		{wire.EventAnswerFeedback, []string{"rating", "good"}, "rating must be positive or negative"},
		{wire.EventAnswerFeedback, []string{"rating", "", "comment", " ", "reason", "\t"}, "rating is missing, as are reason and comment"},
		{wire.EventAnswerFeedback, []string{"rating", "", "comment", "wrong"}, ""},
		{wire.EventAnswerClick, []string{"url", "-"}, "url is missing"},
		{wire.EventAnswerClick, []string{"exchangeId", "-"}, "exchangeId is missing"},
	} {
		_, err := Prepare(test.kind, with(test.kind, test.pairs...), nil)
		if (err == nil) != (test.fault == "") || err != nil && !strings.HasPrefix(err.Error(), test.fault) {
			t.Errorf("%s with %q: %v, want %q", test.kind, test.pairs, err, test.fault)
		}
	}
}

func TestPrepare(t *testing.T) {
	given := Event{"conversationId": "c", "exchangeId": "e", "rating": " POSITIVE ", "reason": " ", "comment": " kept "}
	got, err := Prepare(wire.EventAnswerFeedback, given, nil)
	if want := (Event{"conversationId": "c", "exchangeId": "e", "rating": "positive", "comment": " kept "}); err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	if given["rating"] != " POSITIVE " || given["reason"] != " " {
		t.Errorf("the given event is changed: %v", given)
	}
	for _, given := range []Event{{"comment": "x"}, {"comment": "x", "feedbackId": ""}} {
		got, err = Prepare(wire.EventFeedback, given, nil)
		if id, parseErr := uuid.Parse(got["feedbackId"]); err != nil || parseErr != nil || id.Version() != 4 {
			t.Errorf("%v, %v", got, err)
		}
	}
}

func TestDropPersonal(t *testing.T) {
	event := Event{"ip": "192.0.2.1", "UA": "x", "userAgent": "x", "RefUrl": "x", "refpt": "stays", "sw": "stays"}
	if got := fmt.Sprint(event.DropPersonal(), event); got != "[RefUrl UA ip userAgent] map[refpt:stays sw:stays]" {
		t.Error(got)
	}
}

func FuzzEvents(f *testing.F) {
	for _, line := range []string{
		`{"sw":"a","qid":"b","pn":"2","dt":"mobile"}`, `{"a":"1e3"}`, `{"":""}`, "{\"a\":\"\\u0000\"}",
		`{"rating":"POSITIVE","conversationId":"c","exchangeId":"e"}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var event Event
		if json.Unmarshal(line, &event) != nil || event == nil {
			return
		}
		event.DropPersonal()
		for kind := range testEvents() {
			once, err := Prepare(kind, event, nil)
			if err != nil {
				continue
			}
			if twice, err := Prepare(kind, once, nil); err != nil || !maps.Equal(once, twice) {
				t.Errorf("%s: %v becomes %v, %v", kind, once, twice, err)
			}
		}
	})
}

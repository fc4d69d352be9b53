package wire

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// EventFault is what is wrong with a key of an event, in words that follow its name.
type EventFault struct{ Key, Text string }

// eventRule is what sections 2.8 to 2.11 say of the keys of a kind of events.
type eventRule struct {
	need  []string             // must be filled
	forms map[string]eventForm // of values, where there is one
}

// eventForm is what a value looks like.
type eventForm struct {
	pattern *regexp.Regexp
	words   string
}

func oneOf(words ...string) eventForm {
	return eventForm{regexp.MustCompile("^(" + strings.Join(words, "|") + ")$"), strings.Join(words, " or ")}
}

var (
	device = oneOf("mobile", "tablet", "desktop")
	rating = oneOf("positive", "negative")
	isUUID = eventForm{regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`), "a UUID"}

	eventRules = map[string]eventRule{
		EventQuery: {[]string{"sw", "qid"}, map[string]eventForm{"dt": device}},
		EventClick: {[]string{"ls"}, map[string]eventForm{"ls": oneOf("searchresult", "banner"), "dt": device}},
		EventFeedback: {nil, map[string]eventForm{
			"rating": rating, "feedbackId": isUUID, "screenResolution": {regexp.MustCompile(`^[1-9]\d{0,4}x[1-9]\d{0,4}$`), "a size in pixels such as 1920x1080"},
		}},
		EventSummaryFeedback: {[]string{"summaryId"}, map[string]eventForm{"rating": rating}},
		EventAnswerFeedback:  {[]string{"conversationId", "exchangeId"}, map[string]eventForm{"rating": rating}},
		EventAnswerClick:     {[]string{"conversationId", "exchangeId", "url"}, nil},
	}
)

// EventFaults returns where an event of a kind breaks the rules of sections 2.8 to 2.11; keys
// that those don't name are not looked at. Only the rating of an answer may be in any case,
// and one of rating, reason and comment is enough there (sections 2.11 and 7).
func EventFaults(kind string, event map[string]string) (faults []EventFault) {
	blank := func(key string) bool { return strings.TrimSpace(event[key]) == "" }
	for _, key := range eventRules[kind].need {
		if blank(key) {
			faults = append(faults, EventFault{key, "is missing"})
		}
	}
	forms, ofAnswer := eventRules[kind].forms, kind == EventAnswerFeedback
	for _, key := range slices.Sorted(maps.Keys(forms)) {
		value, given := event[key]
		if ofAnswer {
			value, given = strings.ToLower(value), !blank(key)
		}
		told := blank(key) && slices.Contains(eventRules[kind].need, key)
		if given && !told && !forms[key].pattern.MatchString(value) {
			faults = append(faults, EventFault{key, "must be " + forms[key].words})
		}
	}
	if ofAnswer && blank("rating") && blank("reason") && blank("comment") {
		faults = append(faults, EventFault{"rating", "is missing, as are reason and comment: one of them is needed"})
	}
	return faults
}

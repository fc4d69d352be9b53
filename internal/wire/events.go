package wire

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// EventFault is an error in an event (a report of a visitor's search, click or feedback). Text completes a
// sentence that begins with Key, such as "is missing".
type EventFault struct{ Key, Text string }

// eventRule holds the rules of specification sections 2.8 to 2.11 for one kind of event.
type eventRule struct {
	required []string
	forms    map[string]eventForm // formats of values by key; other keys may have any value
}

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
	isSize = eventForm{regexp.MustCompile(`^[1-9]\d{0,4}x[1-9]\d{0,4}$`), "a size in pixels such as 1920x1080"}
	isUUID = eventForm{regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`), "a UUID"}

	eventRules = map[string]eventRule{
		EventQuery: {[]string{"sw", "qid"}, map[string]eventForm{"dt": device}},
		EventClick: {[]string{"ls"}, map[string]eventForm{"ls": oneOf("searchresult", "banner"), "dt": device}},
		EventFeedback: {nil, map[string]eventForm{
			"rating": rating, "feedbackId": isUUID, "screenResolution": isSize,
		}},
		EventSummaryFeedback: {[]string{"summaryId"}, map[string]eventForm{"rating": rating}},
		EventAnswerFeedback:  {[]string{"conversationId", "exchangeId"}, map[string]eventForm{"rating": rating}},
		EventAnswerClick:     {[]string{"conversationId", "exchangeId", "url"}, nil},
	}
)

// EventFaults returns the faults of an event by specification sections 2.8 to 2.11. It checks only the keys
// that these sections name. An event of kind EventAnswerFeedback needs a rating, a reason or a comment, and
// may have its rating in upper case (sections 2.11 and 7).
func EventFaults(kind string, event map[string]string) (faults []EventFault) {
	blank := func(key string) bool { return strings.TrimSpace(event[key]) == "" }
	for _, key := range eventRules[kind].required {
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
		missing := blank(key) && slices.Contains(eventRules[kind].required, key)
		if given && !missing && !forms[key].pattern.MatchString(value) {
			faults = append(faults, EventFault{key, "must be " + forms[key].words})
		}
	}
	if ofAnswer && blank("rating") && blank("reason") && blank("comment") {
		faults = append(faults, EventFault{"rating", "is missing, as are reason and comment: one of them is needed"})
	}
	return faults
}

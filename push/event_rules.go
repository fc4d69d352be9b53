package push

import (
	"cmp"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"sitesync/internal/wire"
)

// EventKeys are the names of keys that the specification withholds. An empty one is not
// known.
type EventKeys struct {
	Device   string // device class of query and click events
	Source   string // log source of click events
	Rating   string // rating of summary feedback
	Language string // language of answer feedback

	Names map[string]string // how errors call a key, where not as it is written
}

func (k EventKeys) name(key string) string { return cmp.Or(k.Names[key], printable(key)) }

// Prepare returns an event of a kind as it is sent, and leaves the given one alone:
// search feedback gets a feedbackId where it has none; of answer feedback what is blank
// goes, and the rating is made lower case. It errs, naming every fault at once, where
// the event breaks a rule of sections 2.8 to 2.11. Keys that these don't name stay.
func (k EventKeys) Prepare(kind string, event Event) (Event, error) {
	prepared := Event{}
	maps.Copy(prepared, event)
	var faults []string
	if kind == wire.EventFeedback && event["feedbackId"] == "" {
		prepared["feedbackId"] = uuid.NewString()
	}
	switch {
	case kind == wire.EventFeedback && len(event) == 0:
		faults = append(faults, "the feedback says nothing")
	case kind == wire.EventAnswerFeedback && !prepared.tidyAnswer():
		faults = append(faults, "rating, reason and comment are empty: give one of them")
	}
	for _, key := range slices.Sorted(maps.Keys(prepared)) {
		if text := plainFault(key, prepared[key], k.name(key)); text != "" {
			faults = append(faults, text)
		}
	}
	for _, r := range k.rules(kind) {
		if text := r.fault(prepared, k.name(r.key)); text != "" {
			faults = append(faults, text)
		}
	}
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "; "))
	}
	return prepared, nil
}

// tidyAnswer takes out what is blank of an answer's feedback, makes the rating lower
// case, and reports whether anything is left.
func (e Event) tidyAnswer() (left bool) {
	for _, key := range []string{"rating", "reason", "comment"} {
		if strings.TrimSpace(e[key]) == "" {
			delete(e, key)
			continue
		}
		left = true
	}
	if rating, ok := e["rating"]; ok {
		e["rating"] = strings.ToLower(strings.TrimSpace(rating))
	}
	return left
}

func plainFault(key, value, name string) string {
	switch {
	case strings.TrimSpace(key) == "":
		return "a key is blank"
	case !utf8.ValidString(key + value): // the encoder would replace what is not
		return name + " is not UTF-8"
	case strings.ContainsFunc(key+value, isControl):
		return name + " holds a control character"
	}
	return ""
}

// eventRule is what one key of an event must hold.
type eventRule struct {
	key      string
	required bool
	form     form
}

// form tells what a value must be where it is not that.
type form func(value string) string

func (r eventRule) fault(event Event, name string) string {
	value, given := event[r.key]
	switch {
	case r.required && strings.TrimSpace(value) == "":
		return name + " is missing"
	case given && r.form != nil:
		if text := r.form(value); text != "" {
			return name + " must be " + text
		}
	}
	return ""
}

func (k EventKeys) rules(kind string) []eventRule {
	device, rating := oneOf("mobile", "tablet", "desktop"), oneOf("positive", "negative")
	switch kind {
	case wire.EventQuery:
		return []eventRule{
			{"sw", true, nil}, {"qid", true, nil}, {"sz", false, pixels}, {"pn", false, digits}, {"rc", false, digits},
			{"ban", false, digits}, {"rt", false, digits}, {k.Device, false, device},
		}
	case wire.EventClick:
		return []eventRule{
			{k.Source, true, oneOf("searchresult", "banner")}, {"clurl", false, webURL}, {"cli", false, digits},
			{"sz", false, pixels}, {"pn", false, digits}, {k.Device, false, device},
		}
	case wire.EventFeedback:
		return []eventRule{{"url", false, webURL}, {"feedbackId", true, isUUID}, {"rating", false, rating}, {"screenResolution", false, pixels}}
	case wire.EventSummaryFeedback:
		return []eventRule{{"summaryId", true, nil}, {k.Rating, false, rating}}
	case wire.EventAnswerFeedback:
		return []eventRule{{"conversationId", true, nil}, {"exchangeId", true, nil}, {"rating", false, rating}}
	}
	return []eventRule{{"conversationId", true, nil}, {"exchangeId", true, nil}, {"url", true, webURL}}
}

func oneOf(words ...string) form {
	return func(s string) string {
		if slices.Contains(words, s) {
			return ""
		}
		return strings.Join(words, " or ")
	}
}

func digits(s string) string {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return "a whole number"
	}
	return ""
}

func pixels(s string) string {
	width, height, _ := strings.Cut(s, "x")
	if digits(width)+digits(height) != "" || strings.HasPrefix(width, "0") || strings.HasPrefix(height, "0") {
		return "a size in pixels such as 1920x1080"
	}
	return ""
}

func webURL(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return "a full web address such as https://www.example.com/page, without a user"
	}
	return ""
}

func isUUID(s string) string {
	if len(s) != 36 || uuid.Validate(s) != nil {
		return "a UUID"
	}
	return ""
}

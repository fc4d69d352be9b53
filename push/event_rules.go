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

// Prepare checks an event by specification sections 2.8 to 2.11, and returns a copy to send. Feedback on a
// search gets a random feedbackId if it has none. Feedback on an answer loses its blank values, and its
// rating becomes lower case. Keys that these sections don't name are kept. The error lists every fault. names
// maps a key to the name that the error uses.
func Prepare(kind string, event Event, names map[string]string) (Event, error) {
	prepared := Event{}
	maps.Copy(prepared, event)
	var faults []string
	switch {
	case kind == wire.EventFeedback && len(event) == 0:
		faults = append(faults, "the feedback is empty")
	case kind == wire.EventFeedback && event["feedbackId"] == "":
		prepared["feedbackId"] = uuid.NewString()
	case kind == wire.EventAnswerFeedback:
		for _, key := range []string{"rating", "reason", "comment"} {
			if strings.TrimSpace(prepared[key]) == "" {
				delete(prepared, key)
			}
		}
		if rating, ok := prepared["rating"]; ok {
			prepared["rating"] = strings.ToLower(strings.TrimSpace(rating))
		}
	}
	name := func(key string) string { return cmp.Or(names[key], printable(key)) }
	for _, key := range slices.Sorted(maps.Keys(prepared)) {
		if text := plainFault(key, prepared[key]); text != "" {
			faults = append(faults, strings.TrimSpace(name(key)+" "+text))
		}
	}
	for _, f := range wire.EventFaults(kind, prepared) {
		faults = append(faults, name(f.Key)+" "+f.Text)
	}
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "; "))
	}
	return prepared, nil
}

// plainFault says what is wrong with a key or value of any event, as words to put after the key's name.
func plainFault(key, value string) string {
	switch {
	case strings.TrimSpace(key) == "":
		return "is a key that is blank"
	case !utf8.ValidString(key + value): // JSON encoding would replace invalid bytes
		return "is not UTF-8"
	case strings.ContainsFunc(key+value, isControl):
		return "holds a control character"
	case (key == "url" || key == "clurl") && value != "" && !isWebURL(value):
		return "must be a full web address such as https://www.example.com/page, without a user"
	}
	return ""
}

func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f
}

func isWebURL(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil
}

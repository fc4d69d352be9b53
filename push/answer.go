package push

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"sitesync/internal/wire"
)

// answer is what came back from a call.
type answer struct {
	status     int
	header     http.Header
	body       []byte              // without what surrounds its JSON text
	said       object              // of a body that is an object
	rows       []object            // of a body that is an array; one that is no object is empty, so that the others keep their places
	fields     map[string][]string // of a body that is nothing but messages by field path (section 7)
	broken     bool                // the body is no whole JSON text
	mayHaveRun bool                // a try that failed may have been carried out
}

// object is a JSON object of an answer, or a row of one: the keys of sections 2.2,
// 4.1 and 7 in any case, as the service writes some now with a capital, now without.
type object struct {
	Document                                                                 struct{ ID, Fields json.RawMessage }
	URL, Status                                                              json.RawMessage
	Message, Messages, Code, Reason, Success, Deleted, Failed, Error, Errors json.RawMessage
}

// newAnswer reads a body, for the only time. A byte order mark is ignored (RFC 8259,
// section 8.1).
func newAnswer(status int, body []byte) answer {
	got := answer{status: status, body: bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))}
	switch {
	case !json.Valid(got.body):
		got.broken = len(got.body) > 0
	case got.body[0] != '{':
		_ = json.Unmarshal(got.body, &got.rows)
	default:
		_ = json.Unmarshal(got.body, &got.said)
		got.fields = readFields(got.body)
	}
	return got
}

// readFields returns messages by field path, nil when an object is anything else.
func readFields(body []byte) map[string][]string {
	var fields map[string][]string
	if json.Unmarshal(body, &fields) != nil {
		return nil
	}
	said := false
	for _, messages := range fields {
		if messages == nil {
			return nil
		}
		said = said || len(messages) > 0
	}
	if !said {
		return nil
	}
	return fields
}

// key returns what a row is about: the ID of its document, or its URL.
func (o object) key() string { return cmp.Or(textOf(o.Document.ID), textOf(o.URL)) }

// says reports whether a value says anything.
func says(value json.RawMessage) bool {
	return !slices.Contains([]string{"", "null", "false", `""`, "[]", "{}"}, string(value))
}

// get returns a value of kind T; false when it is absent, null or of another kind.
func get[T any](value json.RawMessage) (v T, ok bool) {
	ok = string(value) != "null" && json.Unmarshal(value, &v) == nil
	return v, ok
}

// textOf returns the string that a value is, empty for any other.
func textOf(value json.RawMessage) string {
	s, _ := get[string](value)
	return s
}

// classify returns what failed, by the answer's body first and its status second, or nil.
// final recognises answers that the endpoint defines, whatever their status: these are no
// failures. The message is still as the service wrote it.
func classify(got answer, final func(answer) bool) *Error {
	kind := kindOf(got, final)
	if kind == "" {
		return nil
	}
	messages, _ := get[[]string](got.said.Messages)
	e := &Error{
		Status: got.status, Kind: kind,
		Message: cmp.Or(textOf(got.said.Message), strings.Join(messages, "; "), textOf(got.said.Reason), string(got.body), "an answer without a body"),
	}
	switch kind {
	case KindRedirect:
		e.Message = "redirects to " + place(got.header.Get("Location"))
	case KindFields:
		e.Message = fieldText(got.fields)
	case KindNetwork:
		e.again, e.ran = true, true
	case KindRateLimited:
		e.again = true
	case KindUnknown:
		e.ran = isSuccess(got.status)
	case KindServer: // below 500 it is one by its body
		e.again = got.status <= 500 || got.status >= 502 && got.status <= 504
		e.ran = got.status != http.StatusNotImplemented
	}
	return e
}

func kindOf(got answer, final func(answer) bool) Kind {
	words := strings.ToLower(textOf(got.said.Message))
	_, hasMessages := get[[]string](got.said.Messages)
	code, _ := get[int](got.said.Code)
	switch {
	case strings.Contains(words, "match") && strings.Contains(words, "customer"): // section 7 gives the meaning, not the words
		return KindMismatch
	case strings.Trim(words, " .!") == wire.Unauthorized, got.status == http.StatusUnauthorized, got.status == http.StatusForbidden:
		return KindUnauthorised
	case got.status >= 300 && got.status < 400:
		return KindRedirect
	case final != nil && final(got):
		return ""
	case got.fields != nil:
		return KindFields
	case hasMessages && code >= 500: // {status, code, messages}
		return KindServer
	case isSuccess(got.status) && got.broken:
		return KindUnknown
	case isSuccess(got.status) && saysFailure(got.said):
		return KindInvalid
	case isSuccess(got.status):
		return ""
	}
	switch got.status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return KindInvalid
	case http.StatusRequestEntityTooLarge, http.StatusRequestURITooLong:
		return KindTooLarge
	case http.StatusTooManyRequests:
		return KindRateLimited
	case http.StatusRequestTimeout:
		return KindNetwork
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusUnsupportedMediaType:
		return KindUnknown // of the address or the method, not of what was sent
	}
	switch {
	case got.status >= 500:
		return KindServer
	case got.status >= 400 && words != "":
		return KindInvalid // section 7 gives {message} for an invalid request, at a status that is not shown
	}
	return KindUnknown
}

// saysFailure reports whether an object tells of a failure in one of the ways of
// section 7, or in a common one.
func saysFailure(o object) bool {
	good, told := get[bool](o.Success)
	failed, _ := get[int](o.Failed)
	code, _ := get[int](o.Code)
	return told && !good || failed > 0 || code >= 400 ||
		says(o.Message) || says(o.Error) || says(o.Errors) || says(o.Reason) && !good
}

func isSuccess(status int) bool { return status >= 200 && status < 300 }

// place returns a redirect's target without the parts that tend to hold tokens.
func place(location string) string {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return "no readable address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

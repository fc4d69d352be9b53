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

type answer struct {
	status     int
	header     http.Header
	body       []byte
	said       object              // the body, if it is a JSON object
	rows       []object            // elements of the body, if an array; an element that is no object is zero
	fields     map[string][]string // error messages by field path (specification section 7); may be nil
	broken     bool
	mayHaveRun bool // a failed try of the call may have been carried out
}

// object is a JSON object of an answer: the whole answer, or one row (an element of its array). Its keys come
// from specification sections 2.2, 4.1 and 7. The case of keys is ignored, because services differ in it.
type object struct {
	Document                                                                 struct{ ID, Fields json.RawMessage }
	URL, Status                                                              json.RawMessage
	Message, Messages, Code, Reason, Success, Deleted, Failed, Error, Errors json.RawMessage
}

// newAnswer parses a response body, without byte order mark (RFC 8259, section 8.1) and surrounding space.
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

func (o object) key() string { return cmp.Or(textOf(o.Document.ID), textOf(o.URL)) }

func isTruthy(value json.RawMessage) bool {
	return !slices.Contains([]string{"", "null", "false", `""`, "[]", "{}"}, string(value))
}

func get[T any](value json.RawMessage) (v T, ok bool) {
	ok = string(value) != "null" && json.Unmarshal(value, &v) == nil
	return v, ok
}

func textOf(value json.RawMessage) string {
	s, _ := get[string](value)
	return s
}

// classify returns the failure that an answer means, or nil for success. A redirect is a failure, and so are
// wrong credentials or IDs. Any other answer for which final returns true is a success. For the rest, the
// body decides before the status. The caller must remove secrets from the message.
func classify(got answer, final func(answer) bool) *Error {
	kind := kindOf(got, final)
	if kind == "" {
		return nil
	}
	messages, _ := get[[]string](got.said.Messages)
	message := cmp.Or(textOf(got.said.Message), strings.Join(messages, "; "), textOf(got.said.Reason),
		string(got.body), "an answer without a body")
	e := &Error{Status: got.status, Kind: kind, Message: message}
	switch kind {
	case KindRedirect:
		e.Message = "redirects to " + place(got.header.Get("Location"))
	case KindFields:
		e.Message = fieldText(got.fields)
	case KindNetwork:
		e.retryable, e.ran = true, true
	case KindRateLimited:
		e.retryable = true
	case KindUnknown:
		e.ran = isSuccess(got.status)
	case KindServer: // the status may be below 500 if the body describes a failure of the server
		e.retryable = got.status <= 500 || got.status >= 502 && got.status <= 504
		e.ran = got.status != http.StatusNotImplemented
	}
	return e
}

func kindOf(got answer, final func(answer) bool) Kind {
	words := strings.ToLower(textOf(got.said.Message))
	_, hasMessages := get[[]string](got.said.Messages)
	code, _ := get[int](got.said.Code)
	switch {
	// Section 7 gives the meaning of this message, not its wording.
	case strings.Contains(words, "match") && strings.Contains(words, "customer"):
		return KindMismatch
	case strings.Trim(words, " .!") == wire.Unauthorized,
		got.status == http.StatusUnauthorized, got.status == http.StatusForbidden:
		return KindUnauthorised
	case got.status >= 300 && got.status < 400:
		return KindRedirect
	case final != nil && final(got):
		return ""
	case got.fields != nil:
		return KindFields
	case hasMessages && code >= 500:
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
		return KindUnknown // the address or the method is wrong, not the documents
	}
	switch {
	case got.status >= 500:
		return KindServer
	case got.status >= 400 && words != "":
		return KindInvalid // section 7 gives {message} for an invalid request, but no status
	}
	return KindUnknown
}

func saysFailure(o object) bool {
	good, told := get[bool](o.Success)
	failed, _ := get[int](o.Failed)
	code, _ := get[int](o.Code)
	return told && !good || failed > 0 || code >= 400 ||
		isTruthy(o.Message) || isTruthy(o.Error) || isTruthy(o.Errors) || isTruthy(o.Reason) && !good
}

func isSuccess(status int) bool { return status >= 200 && status < 300 }

// place returns a redirect's target without user name, query and fragment, which often hold tokens.
func place(location string) string {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return "no readable address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

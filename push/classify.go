package push

import (
	"net/http"
	"strings"
	"unicode"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// classify returns what failed by the answer's body first and its status second,
// nil when it is an answer to work with. final recognises an answer that the
// endpoint defines whatever its status; nil where there is none. The texts in the
// failure are still as the service wrote them.
func classify(status int, body []byte, final func(int, []byte) bool) *Error {
	s := readShape(body)
	kind := kindOf(status, body, s, final)
	if kind == "" {
		return nil
	}
	text := message(s, body)
	return &Error{
		Status:    status,
		Kind:      kind,
		Message:   text,
		Reference: reference(s),
		print:     document.HashBytes(body),
		retry:     retryAdvice{again: worthRetry(kind, status, s)},
	}
}

func kindOf(status int, body []byte, s shape, final func(int, []byte) bool) Kind {
	text, _ := get[string](s, "message")
	switch {
	case isUnauthorised(text):
		return KindUnauthorised
	case isMismatch(text):
		return KindMismatch
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return KindUnauthorised
	case status >= 300 && status < 400:
		return KindRedirect
	case final != nil && final(status, body):
		return ""
	case isServerError(s):
		return KindServer
	case isSuccess(status):
		return kindOfSuccess(body, s)
	}
	return kindOfStatus(status, text)
}

// kindOfSuccess finds the failure inside an answer whose status says success.
func kindOfSuccess(body []byte, s shape) Kind {
	switch {
	case isCut(body):
		return KindUnknown
	case saysFailure(s):
		return KindInvalid
	}
	return ""
}

// saysFailure reports whether an object tells of a failure in one of the ways of
// section 7, or in a common one. A row is no such object: it is judged as a row.
func saysFailure(s shape) bool {
	if s.has("document") {
		return false
	}
	success, told := get[bool](s, "success")
	failed, _ := get[int](s, "failed")
	code, _ := get[int](s, "code")
	return told && !success || failed > 0 || code >= 400 ||
		s.has("message") || s.has("error") || s.has("errors") || s.has("reason") && !success
}

func kindOfStatus(status int, text string) Kind {
	switch {
	case status == http.StatusBadRequest, status == http.StatusUnprocessableEntity:
		return KindInvalid
	case status == http.StatusRequestEntityTooLarge, status == http.StatusRequestURITooLong:
		return KindTooLarge
	case status == http.StatusTooManyRequests:
		return KindRateLimited
	case status == http.StatusRequestTimeout:
		return KindNetwork
	case status >= 500:
		return KindServer
	case isAddress(status) || text == "":
		return KindUnknown
	}
	return KindInvalid // section 7 gives {message} for an invalid request, at a status that is not shown
}

// isAddress reports whether a status speaks of the address or the method, not of
// what was sent.
func isAddress(status int) bool {
	switch status {
	case http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone, http.StatusUnsupportedMediaType:
		return true
	}
	return status < 400
}

func isSuccess(status int) bool { return status >= 200 && status < 300 }

func isUnauthorised(text string) bool {
	return strings.EqualFold(strings.Trim(text, " .!"), wire.Unauthorized)
}

// isMismatch recognises the statement that an ID and the customer ID don't
// belong together; section 7 gives its meaning, not its words.
func isMismatch(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "match") && strings.Contains(text, "customer")
}

// isServerError recognises {status, code, messages}.
func isServerError(s shape) bool {
	_, hasMessages := get[[]string](s, "messages")
	code, hasCode := get[int](s, "code")
	return hasMessages && hasCode && code >= 500
}

// worthRetry reports whether the same call may pass a little later.
func worthRetry(kind Kind, status int, s shape) bool {
	switch kind {
	case KindNetwork, KindRateLimited:
		return true
	case KindServer:
		return status == http.StatusInternalServerError || status >= 502 && status <= 504 || isServerError(s)
	}
	return false
}

// message returns what the service said in words, or the body as it is.
func message(s shape, body []byte) string {
	if text, ok := get[string](s, "message"); ok && text != "" {
		return text
	}
	if texts, ok := get[[]string](s, "messages"); ok && len(texts) > 0 {
		return strings.Join(texts, "; ")
	}
	if text, ok := get[string](s, "reason"); ok && text != "" {
		return text
	}
	if len(trimJSON(body)) == 0 {
		return "an answer without a body"
	}
	return string(body)
}

// reference finds the support reference ID in the messages of a server error:
// the first word of eight characters or more with a digit in it.
func reference(s shape) string {
	texts, _ := get[[]string](s, "messages")
	words := strings.FieldsFunc(strings.Join(texts, " "), func(r rune) bool {
		return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	for _, word := range words {
		if len(word) >= 8 && strings.ContainsAny(word, "0123456789") {
			return word
		}
	}
	return ""
}

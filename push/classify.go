package push

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"sitesync/internal/wire"
)

// classify returns what failed by the answer's body first and its status second,
// nil when it is an answer to work with. The message in the failure is still as
// the service wrote it.
func classify(got answer, final func(answer) bool) *Error {
	o := readObject(got.body)
	kind := kindOf(got, o, final)
	if kind == "" {
		return nil
	}
	e := &Error{Status: got.status, Kind: kind, Message: message(o, got.body)}
	switch kind {
	case KindRedirect:
		e.Message = "redirects to " + place(got.header.Get("Location"))
	case KindFields:
		e.Fields = readFields(got.body)
	case KindNetwork, KindRateLimited:
		e.again = true
	case KindUnknown:
		if got.cut {
			e.Message = "the answer is too long to be read whole: lower push.batch_documents"
		}
	case KindServer: // below 500 it is one by its body
		e.again = got.status <= 500 || got.status >= 502 && got.status <= 504
	}
	return e
}

func kindOf(got answer, o object, final func(answer) bool) Kind {
	words := strings.ToLower(textOf(o.Message))
	_, hasMessages := get[[]string](o.Messages)
	code, _ := get[int](o.Code)
	switch {
	case strings.Contains(words, "match") && strings.Contains(words, "customer"): // section 7 gives the meaning, not the words
		return KindMismatch
	case strings.Trim(words, " .!") == wire.Unauthorized, got.status == http.StatusUnauthorized, got.status == http.StatusForbidden:
		return KindUnauthorised
	case got.status >= 300 && got.status < 400:
		return KindRedirect
	case final != nil && final(got):
		return ""
	case readFields(got.body) != nil:
		return KindFields
	case hasMessages && code >= 500: // {status, code, messages}
		return KindServer
	case !isSuccess(got.status):
		return kindOfStatus(got.status, o)
	case got.broken:
		return KindUnknown
	case saysFailure(o):
		return KindInvalid
	}
	return ""
}

func kindOfStatus(status int, o object) Kind {
	switch status {
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
	case status >= 500:
		return KindServer
	case status < 400 || textOf(o.Message) == "":
		return KindUnknown
	}
	return KindInvalid // section 7 gives {message} for an invalid request, at a status that is not shown
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

// message returns what the service said in words, or the body as it is.
func message(o object, body []byte) string {
	messages, _ := get[[]string](o.Messages)
	return cmp.Or(textOf(o.Message), strings.Join(messages, "; "), textOf(o.Reason), string(body), "an answer without a body")
}

// place returns a redirect's target without the parts that tend to hold tokens.
func place(location string) string {
	u, err := url.Parse(location)
	if err != nil || location == "" {
		return "no readable address"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}

// broken returns the failure of a call without an answer: what broke, without
// method and address, which Error names itself, and of a certificate whose it is
// and when it holds. A certificate is not worth another try: a minute won't mend it.
// Where there was no connection, nothing was sent.
func broken(err error) *Error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	words := err.Error()
	untrusted, wrong := errors.AsType[*tls.CertificateVerificationError](err)
	if wrong {
		cert := untrusted.UnverifiedCertificates[0]
		words += fmt.Sprintf(" (certificate of %q, valid from %s to %s)", cert.Subject, cert.NotBefore.Format(time.DateOnly), cert.NotAfter.Format(time.DateOnly))
	}
	op, ok := errors.AsType[*net.OpError](err)
	undialled := ok && (op.Op == "dial" || op.Op == "proxyconnect")
	return &Error{Kind: KindNetwork, Message: words, again: !wrong, unsent: wrong || undialled}
}

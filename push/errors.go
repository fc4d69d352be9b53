package push

import (
	"fmt"

	"sitesync/internal/document"
)

// Kind says what went wrong with a call.
type Kind string

// The kinds of failure.
const (
	KindUnauthorised Kind = "unauthorised"    // missing or wrong credentials, or the wrong region
	KindMismatch     Kind = "mismatch"        // the IDs in the path don't belong together
	KindInvalid      Kind = "invalid-request" // the service can't process the request
	KindServer       Kind = "server"          // the service itself failed
	KindTooLarge     Kind = "too-large"       // the body or the address is too long
	KindRateLimited  Kind = "rate-limited"    // too many calls
	KindRedirect     Kind = "redirect"        // the service lives elsewhere
	KindNetwork      Kind = "network"         // no whole answer arrived
	KindUnknown      Kind = "unknown"         // an answer that the specification does not know
)

// Error is a call that failed, typed by the shape of the answer's body first
// (specification section 7) and by its status second. Foreign text in it is
// short, printable and free of the key. It wraps no cause: a call that timed out
// must not look like a run whose context expired.
type Error struct {
	Op        document.Op
	URL       string
	Status    int // HTTP status; 0 when no answer arrived
	Kind      Kind
	Message   string // what the service said, or what broke
	Reference string // the service's support reference ID, where it gave one

	region string        // hint for KindUnauthorised
	print  document.Hash // of the answer's body
	retry  retryAdvice
	doubt  bool // a try of this call may have been carried out
}

// Error says what failed, where, why, and what to do next.
func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %s; %s", e.Op, e.URL, e.reason(), e.advice())
}

// reason is the failure without address and advice, as outcomes carry it.
func (e *Error) reason() string {
	if e.Status == 0 {
		return e.Message
	}
	return fmt.Sprintf("HTTP %d, %s: %s", e.Status, e.Kind, e.Message)
}

func (e *Error) advice() string {
	switch e.Kind {
	case KindUnauthorised:
		return "check push.customer_id and push.api_key, and that push.base_url is the address of the customer's region: " + e.region
	case KindMismatch:
		return "check that push.customer_id and push.crawler_id belong together"
	case KindInvalid:
		return "nothing of this call was accepted: what was sent has to change"
	case KindTooLarge:
		return "shorten the document, or lower push.batch_bytes"
	case KindRateLimited:
		return "run again later"
	case KindServer:
		return "run again later" + e.support()
	case KindRedirect:
		return "set push.base_url to the address that answers: neither key nor documents are sent on"
	case KindNetwork:
		return "check push.base_url, push.proxy, push.ca_file and the network, then run again"
	default:
		return "check push.base_url and push.crawler_id"
	}
}

func (e *Error) support() string {
	if e.Reference == "" {
		return ""
	}
	return ", and give the reference " + e.Reference + " to the service's support if it stays"
}

// refuses reports whether the service turned down what was sent, so that less of
// it may pass.
func (e *Error) refuses() bool {
	return e.Kind == KindInvalid || e.Kind == KindTooLarge
}

// stops reports whether every further call would fail alike.
func (e *Error) stops() bool {
	switch e.Kind {
	case KindUnauthorised, KindMismatch, KindRedirect:
		return true
	case KindUnknown:
		return e.Status >= 400
	default:
		return false
	}
}

// sameAnswer reports whether both failures are one and the same answer.
func (e *Error) sameAnswer(other *Error) bool {
	return e != nil && other != nil && e.Status == other.Status && e.print == other.print
}

// StopError ends the sending of a run: what follows would fail as well, or do
// harm. Where a call is the cause, errors.As finds its *Error.
type StopError struct {
	Reason string
	Err    error // nil when no single call is the cause
}

// Error returns the reason and the call that caused it.
func (e *StopError) Error() string {
	if e.Err == nil {
		return e.Reason
	}
	return e.Reason + ": " + e.Err.Error()
}

// Unwrap returns the *Error of the call that caused the stop, or nil.
func (e *StopError) Unwrap() error { return e.Err }

// regionHint explains an unauthorised answer (specification section 1); it
// decides nothing.
func regionHint(customer int64) string {
	if customer < 10_000_000 {
		return "customer IDs below 10,000,000 belong to the EU"
	}
	return "customer IDs from 10,000,000 on belong to the US"
}

package push

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Kind classifies the failure of a call.
type Kind string

const (
	KindUnauthorised Kind = "unauthorised"    // missing or wrong credentials, or the wrong region
	KindMismatch     Kind = "mismatch"        // the customer, engine and crawler IDs do not belong together
	KindInvalid      Kind = "invalid-request" // the service can't process the request
	KindFields       Kind = "field-errors"    // fields of the sent object are missing or wrong
	KindFailed       Kind = "delete-failed"   // the service could not delete the object
	KindNotFound     Kind = "not-found"
	KindNotOffered   Kind = "not-offered" // the service lacks an operation that is optional
	KindServer       Kind = "server"
	KindTooLarge     Kind = "too-large" // the body or the address is too long
	KindRateLimited  Kind = "rate-limited"
	KindRedirect     Kind = "redirect" // the service has another address
	KindNetwork      Kind = "network"  // no whole answer arrived
	KindUnknown      Kind = "unknown"  // the specification does not define the answer
)

// Error is the failure of a call. The answer's body decides the Kind first, then the status (specification
// section 7). Message is short, printable and free of the key. Error wraps no cause: the timeout of one call
// must not look like the end of the run's context.
type Error struct {
	Op      string // operation, such as "put" or "create banner"
	URL     string
	Status  int // HTTP status; 0 when no answer arrived
	Kind    Kind
	Message string // the service's message (often with a reference for support) or the network error

	retryable bool
	ran       bool   // the service may have carried out a try of the call
	keyless   bool   // authenticated by a public SiteKey, not by the API key
	next      string // advice in place of the usual one for Kind; empty: the usual one
}

// NotOffered reports whether the service lacks an operation that the specification does not require.
func (e *Error) NotOffered() bool { return e.Kind == KindNotOffered }

// NotFound reports whether no object has the requested ID.
func (e *Error) NotFound() bool { return e.Kind == KindNotFound }

// MayHaveRun reports whether the service may have carried out the failed call, in any of its tries.
func (e *Error) MayHaveRun() bool { return e.ran }

func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %s; %s", e.Op, e.URL, e.reason(), e.advice())
}

func (e *Error) reason() string {
	if e.Status == 0 {
		return e.Message
	}
	return fmt.Sprintf("HTTP %d, %s: %s", e.Status, e.Kind, e.Message)
}

func (e *Error) advice() string {
	credentials := "push.api_key"
	if e.keyless {
		credentials = "push.engine_id"
	}
	return cmp.Or(e.next, map[Kind]string{
		KindUnauthorised: "check push.customer_id and " + credentials + ", and that push.base_url is the address " +
			"of the customer's region: IDs below 10,000,000 belong to the EU, IDs from there on belong to the US",
		KindMismatch: "check that push.customer_id, push.engine_id and push.crawler_id belong together",
		KindInvalid:  "nothing of this call was accepted: what was sent has to change",
		KindFields:   "nothing of this call was accepted: correct these fields",
		KindFailed:   "it is still there: act on the reason, then delete it again",
		KindNotFound: "compare the ID with the management console: it may have been deleted there, " +
			"or belong to another customer",
		KindNotOffered:  "do without it, or do it by hand in the management console",
		KindTooLarge:    "shorten the document, or lower push.batch_bytes",
		KindServer:      "run again later, and give this message to the service's support if it stays",
		KindRateLimited: "run again later, and give this message to the service's support if it stays",
		KindRedirect:    "set push.base_url to the address that answers: neither key nor documents are sent on",
		KindNetwork:     "check push.base_url, push.proxy, push.ca_file and the network, then run again",
	}[e.Kind], "check push.base_url and the IDs in [push]")
}

// refuses reports whether the service rejected the request's content, so that a smaller batch may pass.
func (e *Error) refuses() bool {
	return e.Kind == KindInvalid || e.Kind == KindFields || e.Kind == KindTooLarge
}

// doubtful reports whether the call may have been carried out. Unlike MayHaveRun, it returns true also if the
// status says success (2xx) but the body reports a refusal.
func (e *Error) doubtful() bool { return e.ran || isSuccess(e.Status) && e.refuses() }

// stops reports whether every further call would fail in the same way.
func (e *Error) stops() bool {
	return slices.Contains([]Kind{KindUnauthorised, KindMismatch, KindRedirect}, e.Kind) ||
		e.Kind == KindUnknown && e.Status >= 400
}

// StopError ends the sending of a run, because further calls would fail as well or do harm.
type StopError struct {
	Reason string
	Err    error // nil when no single call is the cause
}

func (e *StopError) Error() string {
	if e.Err == nil {
		return e.Reason
	}
	return e.Reason + ": " + e.Err.Error()
}

// Unwrap returns the *Error of the call that caused the stop, or nil.
func (e *StopError) Unwrap() error { return e.Err }

func fieldText(fields map[string][]string) string {
	var lines []string
	for _, path := range slices.Sorted(maps.Keys(fields)) {
		lines = append(lines, path+": "+strings.Join(fields[path], ", "))
	}
	return strings.Join(lines, "; ")
}

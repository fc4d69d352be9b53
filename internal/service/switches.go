package service

import (
	"net/http"
	"reflect"
)

// Switches turn the other readings of the specification, and faults, on. The
// zero value is the service as documented. They are set in Options, by
// SetSwitches, or by POST /_/switches with the JSON form of this struct, which
// replaces all of them; only on loopback.
type Switches struct {
	// Faults strike single calls; for each call the first that is due.
	Faults []Fault `json:"faults,omitempty"`
	// Refuse names documents that fail; the first that matches counts.
	Refuse []Refusal `json:"refuse,omitempty"`

	// MaxDocuments and MaxBytes bound a request's array and its body; beyond
	// them it is answered 413. Defaults: 1,000 and 10,000,000.
	MaxDocuments int   `json:"max_documents,omitempty"`
	MaxBytes     int64 `json:"max_bytes,omitempty"`

	// PutAnswer is the body of a PUT's answer, which the specification does not
	// show. Default: one row a document.
	PutAnswer PutAnswer `json:"put_answer,omitempty"`
	// WholeBatch answers 400 and applies nothing when a row fails. Default: one
	// bad row does not stop the others.
	WholeBatch bool `json:"whole_batch,omitempty"`
	// DuplicatesFail fails the earlier rows of an ID that comes more than once.
	// Default: they are applied in order, the last wins.
	DuplicatesFail bool `json:"duplicates_fail,omitempty"`
	// AcceptArrays stores arrays of strings as values. Default: a failed row.
	AcceptArrays bool `json:"accept_arrays,omitempty"`
	// RequireFields fails a PUT's row without Title, Description or Url.
	RequireFields bool `json:"require_fields,omitempty"`
	// PatchUpserts lets PATCH create a missing document. Default: a failed row.
	PatchUpserts bool `json:"patch_upserts,omitempty"`
	// PatchResetsType makes a PATCH without type set PageContent. Default: keep.
	PatchResetsType bool `json:"patch_resets_type,omitempty"`
	// DeleteFailureStatus is the status of a DELETE that a Refusal fails: 500
	// (default) or 200, for instance.
	DeleteFailureStatus int `json:"delete_failure_status,omitempty"`
	// AllowExists takes the bulk-delete operator Exists, which with empty values
	// matches every document. Default: 400.
	AllowExists bool `json:"allow_exists,omitempty"`
	// IgnoreUnknownFields drops the keys of a bulk-delete filter that no document
	// of the crawler has; a filter of only such keys matches every document.
	// Default: an unknown field matches nothing.
	IgnoreUnknownFields bool `json:"ignore_unknown_fields,omitempty"`
	// UnauthorizedStatus is answered in place of 401, such as 400.
	UnauthorizedStatus int `json:"unauthorized_status,omitempty"`
	// Region answers 401 to the customers of the other region (section 1).
	Region Region `json:"region,omitempty"`
}

// Any reports whether a switch is set.
func (s Switches) Any() bool {
	if len(s.Faults) == 0 {
		s.Faults = nil
	}
	if len(s.Refuse) == 0 {
		s.Refuse = nil
	}
	return !reflect.ValueOf(s).IsZero()
}

// Fault makes calls of one endpoint go wrong. With Drop the connection ends
// without an answer; with Status or Body that is the answer; with neither the
// call is answered as usual, late (DelayMS) or cut (Cut). Calls without the right
// credentials and calls that can't be understood are answered as ever, and not
// counted.
type Fault struct {
	Endpoint Endpoint `json:"endpoint"`
	Skip     int      `json:"skip,omitempty"`  // calls let through first
	Times    int      `json:"times,omitempty"` // calls that it strikes after those; 0: every one
	At       Point    `json:"at,omitempty"`    // default Before
	DelayMS  int      `json:"delay_ms,omitempty"`
	Drop     bool     `json:"drop,omitempty"`
	Status   int      `json:"status,omitempty"` // default 200 where Body is given
	// RetryAfter is sent as it stands: seconds or a date, or nonsense.
	RetryAfter string `json:"retry_after,omitempty"`
	// Body is sent as it stands; "" is an empty body. Default: the shape that
	// section 7 gives for Status.
	Body *string `json:"body,omitempty"`
	Cut  bool    `json:"cut,omitempty"` // the answer's body ends in its middle
}

// Point is when in a call a fault strikes.
type Point string

// The points of a call. Between is for PUT alone: the old documents are deleted
// and the new ones not indexed yet. A delay whose client leaves ends the call
// where it stands: before, nothing is applied.
const (
	Before  Point = "before"
	Between Point = "between"
	After   Point = "after"
)

// Refusal fails the documents whose ID it matches.
type Refusal struct {
	Endpoint Endpoint `json:"endpoint,omitempty"` // put, patch or delete; default put and patch
	ID       string   `json:"id"`                 // regular expression, matching anywhere; "" matches all
	Reason   string   `json:"reason,omitempty"`
	Lose     bool     `json:"lose,omitempty"` // a refused PUT deletes the old document first
}

// PutAnswer is a shape of the answer to PUT.
type PutAnswer string

// The shapes: rows, no body, an object without keys, an array without rows.
const (
	PutRows   PutAnswer = ""
	PutEmpty  PutAnswer = "empty"
	PutObject PutAnswer = "object"
	PutArray  PutAnswer = "array"
)

// reply returns the answer to a PUT in this shape.
func (p PutAnswer) reply(rows any) (reply, error) {
	bodies := map[PutAnswer]string{PutEmpty: "", PutObject: "{}", PutArray: "[]"}
	if body, ok := bodies[p]; ok {
		return reply{status: http.StatusOK, body: []byte(body)}, nil
	}
	return jsonReply(http.StatusOK, rows)
}

// Region is one of the two regions of specification section 1.
type Region string

// The regions; AnyRegion serves all customers.
const (
	AnyRegion Region = ""
	EU        Region = "EU"
	US        Region = "US"
)

// firstUS is the lowest customer ID of the US region.
const firstUS = 10_000_000

func (r Region) holds(customer int64) bool {
	return r == AnyRegion || (r == US) == (customer >= firstUS)
}

package fault

import (
	"cmp"
	"regexp"
	"sync/atomic"
)

// Switches turn the other readings of the specification on. The zero value is the service as documented. Tests alone set them.
//
// Where the specification shows no status, these are ours: 400 for an invalid request,
// 401 and 403 for an unauthorised one, 404, 405, 413 and 415 for what can't be taken, 421
// for a foreign host.
type Switches struct {
	// Refuse names documents that fail; the first that matches counts.
	Refuse []Refusal `json:"refuse,omitempty"`

	// MaxDocuments and MaxBytes bound a request's array and its body; beyond
	// them it is answered 413. Defaults: 1,000 and 10,000,000.
	MaxDocuments int   `json:"max_documents,omitempty"`
	MaxBytes     int64 `json:"max_bytes,omitempty"`

	// PutAnswer is the body of a PUT's answer, which the specification does not
	// show: "empty", "object" or "array", both without rows. Default: one row a
	// document.
	PutAnswer string `json:"put_answer,omitempty"`
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
	// PatchEchoes answers PATCH with the fields that were sent. Default: the whole
	// document as it is now.
	PatchEchoes bool `json:"patch_echoes,omitempty"`
	// PatchResetsType makes a PATCH without type set PageContent. Default: keep.
	PatchResetsType bool `json:"patch_resets_type,omitempty"`
	// DeleteFailureStatus is the status of a DELETE that a Refusal fails. Default 500.
	DeleteFailureStatus int `json:"delete_failure_status,omitempty"`
	// AllowExists takes the bulk-delete operator Exists, which with empty values
	// matches every document. Default: 400.
	AllowExists bool `json:"allow_exists,omitempty"`
	// IgnoreUnknownFields drops the keys of a bulk-delete filter that no document
	// of the crawler has; a filter of only such keys matches every document.
	// Default: an unknown field matches nothing.
	IgnoreUnknownFields bool `json:"ignore_unknown_fields,omitempty"`
	// Unfilterable names fields that the vendor did not set up: a key of a bulk-delete
	// filter that names one is an unknown field, whatever documents have.
	Unfilterable []string `json:"unfilterable,omitempty"`
	// MismatchStatus is answered with {Message} when a tracking call names the qid of
	// another engine's search. Default, as ours: 400.
	MismatchStatus int `json:"mismatch_status,omitempty"`
	// CheckQueryIDs answers 400 to a qid that no search here gave out. Default: accepted.
	CheckQueryIDs bool `json:"check_query_ids,omitempty"`
	// AcceptForeignIDs takes a summaryId, conversationId and exchangeId that no answer
	// here gave out. Default: 400.
	AcceptForeignIDs bool `json:"accept_foreign_ids,omitempty"`
	// UnauthorizedStatus is answered in place of 401, such as 400.
	UnauthorizedStatus int `json:"unauthorized_status,omitempty"`
	// FieldErrorStatus is answered with field errors in place of 400.
	FieldErrorStatus int `json:"field_error_status,omitempty"`
	// NotFoundStatus is answered in place of 404 for a search tool that is not there.
	NotFoundStatus int `json:"not_found_status,omitempty"`
	// SynonymArrays answers the GET of one synonym group with an array, too. Default:
	// an object.
	SynonymArrays bool `json:"synonym_arrays,omitempty"`
	// WrongRegion answers 401 to everyone, as the other region (section 1) does.
	WrongRegion bool `json:"wrong_region,omitempty"`
}

// Refusal fails the documents whose ID it matches.
type Refusal struct {
	Endpoint string `json:"endpoint,omitempty"` // put, patch, delete or paths, where Reason is the status; default put and patch
	ID       string `json:"id"`                 // regular expression, matching anywhere; "" matches all
	Reason   string `json:"reason,omitempty"`
	Lose     bool   `json:"lose,omitempty"` // a refused PUT deletes the old document first
}

// Refused returns what fails a document at one of the endpoints of a Refusal; false for
// nothing.
func (s Switches) Refused(endpoint, id string) (Refusal, bool) {
	for _, r := range s.Refuse {
		here := r.Endpoint == endpoint || r.Endpoint == "" && endpoint != "delete" && endpoint != "paths"
		if matched, _ := regexp.MatchString(r.ID, id); here && matched {
			if r.Reason == "" {
				r.Reason = map[bool]string{false: "refused", true: "Invalid"}[endpoint == "paths"]
			}
			return r, true
		}
	}
	return Refusal{}, false
}

// Panel holds the switches in force. The zero Panel has none set.
type Panel struct{ switches atomic.Pointer[Switches] }

// SetSwitches replaces all switches.
func (p *Panel) SetSwitches(switches Switches) { p.switches.Store(&switches) }

// Switches returns the switches in force.
func (p *Panel) Switches() Switches {
	return *cmp.Or(p.switches.Load(), &Switches{})
}

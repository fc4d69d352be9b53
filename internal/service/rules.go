package service

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
)

// The default limits of a request.
const (
	defaultMaxDocuments = 1000
	defaultMaxBytes     = 10_000_000
	greatestMaxBytes    = 1_000_000_000
)

// rules are switches that were checked. They are never changed.
type rules struct {
	Switches
	patterns []*regexp.Regexp // of Refuse
}

func (r *rules) maxDocuments() int { return cmp.Or(r.MaxDocuments, defaultMaxDocuments) }
func (r *rules) maxBytes() int64   { return cmp.Or(r.MaxBytes, defaultMaxBytes) }

func (r *rules) deleteFailureStatus() int {
	return cmp.Or(r.DeleteFailureStatus, http.StatusInternalServerError)
}

// compile checks switches.
func compile(s Switches) (*rules, error) {
	r := &rules{Switches: s}
	for i, refusal := range s.Refuse {
		pattern, err := refusal.compile()
		if err != nil {
			return nil, fmt.Errorf("switches: refusal %d: %w", i+1, err)
		}
		r.patterns = append(r.patterns, pattern)
	}
	return r, r.check()
}

func (r *rules) check() error {
	for i, fault := range r.Faults {
		if err := fault.check(); err != nil {
			return fmt.Errorf("switches: fault %d: %w", i+1, err)
		}
	}
	if r.MaxDocuments < 0 || r.MaxBytes < 0 || r.MaxBytes > greatestMaxBytes {
		return fmt.Errorf("switches: max_documents and max_bytes can't be below 0, nor max_bytes over %d", greatestMaxBytes)
	}
	if !slices.Contains([]PutAnswer{PutRows, PutEmpty, PutObject, PutArray}, r.PutAnswer) {
		return fmt.Errorf("switches: put_answer %q is none of empty, object, array", r.PutAnswer)
	}
	if !slices.Contains([]Region{AnyRegion, EU, US}, r.Region) {
		return fmt.Errorf("switches: region %q is none of EU, US", r.Region)
	}
	return errors.Join(
		checkStatus("switches: delete_failure_status", r.DeleteFailureStatus),
		checkStatus("switches: unauthorized_status", r.UnauthorizedStatus))
}

func (r Refusal) compile() (*regexp.Regexp, error) {
	if !slices.Contains([]Endpoint{"", EndpointPut, EndpointPatch, EndpointDelete}, r.Endpoint) {
		return nil, fmt.Errorf("endpoint %q is none of put, patch, delete", r.Endpoint)
	}
	return regexp.Compile(r.ID)
}

// refusal returns what fails a document at an endpoint.
func (r *rules) refusal(endpoint Endpoint, id string) (Refusal, bool) {
	for i, refusal := range r.Refuse {
		here := refusal.Endpoint == endpoint || refusal.Endpoint == "" && endpoint != EndpointDelete
		if here && r.patterns[i].MatchString(id) {
			return refusal, true
		}
	}
	return Refusal{}, false
}

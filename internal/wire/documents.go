package wire

import "encoding/json"

// Document is an index entry as it is sent, section 2.2. Fields stay raw so that
// a receiver can name the value that is no string.
type Document struct {
	ID     string                     `json:"id"`
	Fields map[string]json.RawMessage `json:"fields"`
	Type   *string                    `json:"type,omitempty"`
}

// ResultEntry is the answer for one document, section 2.2. The specification
// gives it for PATCH; PUT answers the same rows where it answers any.
type ResultEntry struct {
	Document ResultDocument `json:"document"`
	Reason   string         `json:"reason"`
	Success  bool           `json:"success"`
}

// ResultDocument is the document inside a ResultEntry. Type is an integer on the
// wire whose values the specification does not give: it is never compared.
type ResultDocument struct {
	ID     string                     `json:"id"`
	Type   json.RawMessage            `json:"type"`
	Fields map[string]json.RawMessage `json:"fields"`
}

// DeleteResult is the answer to the delete of one document, section 4.1: Deleted
// is 0 or 1 on success; Failed and Reason come on failure. Pointers tell
// absent from zero, because the shape decides before the status does.
type DeleteResult struct {
	Deleted *int    `json:"deleted,omitempty"`
	Failed  *int    `json:"failed,omitempty"`
	Reason  *string `json:"reason,omitempty"`
}

// Filter is a bulk-delete filter, section 2.3: keys are field names, ANDed.
type Filter map[string]Condition

// Condition is one key of a Filter. Operators that appear: Eq, Gte, Lt.
type Condition struct {
	Operator string   `json:"operator"`
	Values   []string `json:"values"`
}

// BulkDeleteResult is the answer to a bulk delete, section 4.1.
type BulkDeleteResult struct {
	Success bool   `json:"success"`
	Deleted int    `json:"deleted"`
	Failed  int    `json:"failed"`
	Reason  string `json:"reason"`
}

// PathStatus is the answer for one queued URL, section 4.1; Status is "Ok" for
// each accepted URL.
type PathStatus struct {
	URL    string `json:"url"`
	Status string `json:"status"`
}

// Message is the error shape {message} of section 7: an invalid request, an
// unauthorised one, or a failed operation on a search tool.
type Message struct {
	Message string `json:"message"`
}

// Unauthorized is the text of Message when credentials are missing or wrong.
const Unauthorized = "unauthorized"

// ServerError is the error shape of an unexpected server error, section 7; a
// message holds the support reference ID.
type ServerError struct {
	Status   string   `json:"status"`
	Code     int      `json:"code"`
	Messages []string `json:"messages"`
}

// FieldErrors is the error shape of section 7 for search tools: messages keyed
// by field path.
type FieldErrors map[string][]string

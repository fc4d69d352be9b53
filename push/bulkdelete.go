package push

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"sitesync/internal/document"
	"sitesync/internal/wire"
)

// ApplyBulk deletes every document that the JSON filter matches (specification section 4.1). ParseFilter
// checks the filter first. deleted is the service's count of deleted documents. It is exact, because a call
// that may have been carried out is not retried. ran says whether documents may have been deleted. ApplyBulk
// returns an *Error if the call fails or reports a failure.
func (c *Client) ApplyBulk(ctx context.Context, filter json.RawMessage) (deleted int, ran bool, err error) {
	checked, err := ParseFilter(filter)
	if err != nil {
		return 0, false, err
	}
	body, _ := json.Marshal(checked) // a checked filter always encodes
	r := request{
		op: string(document.BulkDelete), method: http.MethodPost, url: c.documentsURL + "/bulk-delete",
		body: body, once: true,
		final: func(got answer) bool {
			result, counted := readBulk(got.said)
			return counted && (!result.Success || isSuccess(got.status) && !got.broken)
		},
	}
	got, failure := c.call(ctx, r)
	result, counted := readBulk(got.said)
	switch {
	case ctx.Err() != nil && failure != nil:
		return 0, true, ctx.Err()
	case failure != nil:
		if !failure.doubtful() {
			c.o.Logger.Warn("the bulk delete was turned down: it deleted nothing", "why", failure.reason())
		}
		return 0, failure.doubtful(), failure
	case !counted:
		return 0, true, c.fail(r, got, KindUnknown, "the answer gives no count of deleted documents")
	case result.Success:
		return result.Deleted, true, nil
	}
	message := fmt.Sprintf("deleted %d, failed %d: %s", result.Deleted, result.Failed, result.Reason)
	return result.Deleted, true, c.fail(r, got, KindServer, message)
}

// readBulk returns the result that an answer reports. It returns false if the answer reports neither success
// nor failed documents, or success without a count. Some services report a failure if a filter matches
// nothing; readBulk returns success.
func readBulk(o object) (wire.BulkDeleteResult, bool) {
	success, told := get[bool](o.Success)
	deleted, counted := get[int](o.Deleted)
	failed, _ := get[int](o.Failed)
	if !told && failed == 0 || deleted < 0 || success && !counted {
		return wire.BulkDeleteResult{}, false
	}
	reason := textOf(o.Reason)
	nothing := counted && deleted == 0 && strings.Contains(strings.ToLower(reason), "match")
	success = (success || nothing) && failed <= 0
	return wire.BulkDeleteResult{Success: success, Deleted: deleted, Failed: failed, Reason: reason}, true
}

// ParseFilter reads a filter of specification section 2.3 from JSON. It errs on a wrong key, operator or
// value. It also errs on a filter that could match every document: an empty filter, a key without values, or
// a blank value.
func ParseFilter(raw []byte) (filter wire.Filter, err error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&filter); err != nil {
		return nil, fmt.Errorf("read the bulk-delete filter: %w", err)
	}
	if len(filter) == 0 {
		return nil, errors.New("check the bulk-delete filter: it is empty, which could match every document")
	}
	for key, condition := range filter {
		if text := conditionFault(key, condition); text != "" {
			return nil, fmt.Errorf("check the bulk-delete filter: key %q: %s", key, text)
		}
	}
	return filter, nil
}

func conditionFault(key string, condition wire.Condition) string {
	isRange := condition.Operator == "Gte" || condition.Operator == "Lt"
	switch {
	case key == "" || strings.TrimSpace(key) != key:
		return "the key is blank or has spaces around it"
	case condition.Operator != "Eq" && !isRange:
		return fmt.Sprintf("the operator must be Eq, Gte or Lt, not %q", condition.Operator)
	case len(condition.Values) == 0:
		return "it has no values, which could match every document"
	case isRange && len(condition.Values) != 1:
		return fmt.Sprintf("%s takes one value, not %d", condition.Operator, len(condition.Values))
	}
	for _, value := range condition.Values {
		_, err := time.Parse("2006/01/02", value)
		switch {
		case strings.TrimSpace(value) == "":
			return "a value is blank, which could match every document"
		case strings.HasSuffix(key, "_date") && err != nil:
			return fmt.Sprintf("value %q is no date of the form YYYY/MM/DD", value)
		}
	}
	return ""
}

package push

import (
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

// BulkDelete deletes every document that filter matches (section 4.1) and returns
// the service's count. It refuses, before any call, a filter that could match
// more than it says: an empty one, a blank key or value, a key without values, an
// operator other than Eq, Gte and Lt, or one of the last two with several values.
// A call that was repeated can have deleted more than the count says; so can one
// that errs. It errs with an *Error when the call fails or reports a failure, and
// with ctx's error when ctx ends.
func (c *Client) BulkDelete(ctx context.Context, filter wire.Filter) (wire.BulkDeleteResult, error) {
	if err := checkFilter(filter); err != nil {
		return wire.BulkDeleteResult{}, fmt.Errorf("check the bulk-delete filter: %w", err)
	}
	body, err := json.Marshal(filter)
	if err != nil {
		return wire.BulkDeleteResult{}, fmt.Errorf("encode the bulk-delete filter: %w", err)
	}
	r := request{
		op: document.BulkDelete, method: http.MethodPost, url: c.documents + "/bulk-delete", body: body,
		final: func(_ int, body []byte) bool { result, ok := readBulk(body); return ok && bulkFailed(result) },
	}
	got, failure := c.call(ctx, r)
	if failure != nil {
		return wire.BulkDeleteResult{}, ended(ctx, failure)
	}
	result, ok := readBulk(got.body)
	result.Reason = c.clean(result.Reason)
	if text, kind := bulkFault(result, ok); kind != "" {
		return result, c.dress(&Error{Status: got.status, Kind: kind, Message: text}, r, nil)
	}
	return result, nil
}

// readBulk returns the answer, false when it lacks the verdict or, on success,
// the count.
func readBulk(body []byte) (wire.BulkDeleteResult, bool) {
	var result wire.BulkDeleteResult
	s := readShape(body)
	success, told := get[bool](s, "success")
	deleted, counted := get[int](s, "deleted")
	if json.Unmarshal(trimJSON(body), &result) != nil || !told || success && !counted || deleted < 0 {
		return wire.BulkDeleteResult{}, false
	}
	return result, true
}

func bulkFailed(result wire.BulkDeleteResult) bool { return !result.Success || result.Failed > 0 }

// bulkFault says what is wrong with an answer; an empty kind: nothing.
func bulkFault(result wire.BulkDeleteResult, ok bool) (string, Kind) {
	switch {
	case !ok:
		return "the answer gives no count of deleted documents", KindUnknown
	case bulkFailed(result):
		return fmt.Sprintf("deleted %d, failed %d: %s", result.Deleted, result.Failed, result.Reason), KindServer
	}
	return "", ""
}

// ended returns ctx's error where that is why the call failed.
func ended(ctx context.Context, failure *Error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return failure
}

// checkFilter refuses what section 2.3 does not show and what a service could
// take for "everything".
func checkFilter(filter wire.Filter) error {
	if len(filter) == 0 {
		return errors.New("it is empty, which could match every document")
	}
	var faults []error
	for key, condition := range filter {
		if err := checkCondition(key, condition); err != nil {
			faults = append(faults, fmt.Errorf("key %q: %w", key, err))
		}
	}
	return errors.Join(faults...)
}

func checkCondition(key string, condition wire.Condition) error {
	isRange := condition.Operator == "Gte" || condition.Operator == "Lt"
	switch {
	case key == "" || strings.TrimSpace(key) != key:
		return errors.New("the key is blank or has spaces around it")
	case condition.Operator != "Eq" && !isRange:
		return fmt.Errorf("operator %q is none of Eq, Gte, Lt", condition.Operator)
	case len(condition.Values) == 0:
		return errors.New("it has no values, which could match every document")
	case isRange && len(condition.Values) != 1:
		return fmt.Errorf("%s takes one value, not %d", condition.Operator, len(condition.Values))
	}
	for _, value := range condition.Values {
		if err := checkValue(key, value); err != nil {
			return err
		}
	}
	return nil
}

// checkValue knows the form of date fields, whose names end in _date.
func checkValue(key, value string) error {
	if strings.TrimSpace(value) == "" {
		return errors.New("a value is blank, which could match every document")
	}
	if !strings.HasSuffix(key, "_date") {
		return nil
	}
	if _, err := time.Parse("2006/01/02", value); err != nil {
		return fmt.Errorf("value %q is no date of the form YYYY/MM/DD", value)
	}
	return nil
}

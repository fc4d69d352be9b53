package push

import (
	"context"
	"encoding/json"
	"errors"
)

// ApplyBulk makes the bulk delete of a plan: filter is a filter as JSON, refused as
// BulkDelete refuses it. It returns the service's count, which is that of the only
// try that can have deleted anything: the call is tried again only after answers that
// turned it down. Where it errs, ran says whether it may have been carried out.
func (c *Client) ApplyBulk(ctx context.Context, filter json.RawMessage) (deleted int, ran bool, err error) {
	f, err := ParseFilter(filter)
	if err != nil {
		return 0, false, err
	}
	result, err := c.bulkDelete(ctx, f, true)
	var failure *Error
	switch {
	case err == nil:
		return result.Deleted, true, nil
	case !errors.As(err, &failure):
		return 0, ctx.Err() != nil, err
	case failure.mayHaveRun() || failure.Kind == KindInvalid && isSuccess(failure.Status):
		return result.Deleted, true, err
	}
	c.o.Logger.Warn("the bulk delete was turned down; its documents are deleted one by one", "why", failure.reason())
	return 0, false, err
}

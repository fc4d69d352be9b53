package push

import (
	"context"
	"net/http"

	"sitesync/internal/document"
)

// opCheck names the call that tries the credentials.
const opCheck document.Op = "check"

// CheckCredentials tries the credentials with a read, GET of ranking 0 (section
// 4.2), which changes nothing: any answer of the service but an unauthorised one
// will do. It errs with an *Error when the service is unauthorised, out of reach
// or redirects, and with ctx's error when ctx ends.
func (c *Client) CheckCredentials(ctx context.Context) error {
	_, failure := c.call(ctx, request{
		op: opCheck, method: http.MethodGet, url: c.base + "/api/rankings/0",
		final: func(int, []byte) bool { return true },
	})
	if failure != nil {
		return ended(ctx, failure)
	}
	return nil
}

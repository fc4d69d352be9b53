// Package urlfetch stands in place of Google's, with which Colly fetches where it runs in App
// Engine. sitesync does not run there: docs/decisions/size.md.
package urlfetch

import (
	"context"
	"net/http"
)

// Client returns the client of the standard library.
func Client(context.Context) *http.Client { return http.DefaultClient }

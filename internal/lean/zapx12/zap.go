// Package zap stands in place of format 12 of bleve's index, which sitesync never wrote:
// docs/decisions/size.md.
package zap

import (
	"fmt"

	segment "github.com/blevesearch/scorch_segment_api/v2"
	written "github.com/blevesearch/zapx/v16"
)

// ZapPlugin is the format that is written, under the name of this one.
type ZapPlugin struct{ written.ZapPlugin }

// Version returns 12.
func (*ZapPlugin) Version() uint32 { return 12 }

// Open errs.
func (*ZapPlugin) Open(path string) (segment.Segment, error) {
	return nil, fmt.Errorf("%s has format 12 of bleve's index, which is not read", path)
}

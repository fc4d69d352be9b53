// Package zap stands in place of format 13 of bleve's index, which sitesync never wrote:
// docs/decisions/size.md.
package zap

import (
	"fmt"

	segment "github.com/blevesearch/scorch_segment_api/v2"
	written "github.com/blevesearch/zapx/v16"
)

// ZapPlugin is the format that is written, under the name of this one.
type ZapPlugin struct{ written.ZapPlugin }

// Version returns 13.
func (*ZapPlugin) Version() uint32 { return 13 }

// Open errs.
func (*ZapPlugin) Open(path string) (segment.Segment, error) {
	return nil, fmt.Errorf("%s has format 13 of bleve's index, which is not read", path)
}

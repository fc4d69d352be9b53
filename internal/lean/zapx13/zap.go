// Package zap stands in place of format 13 of bleve's index, which sitesync never wrote:
// docs/decisions/size.md.
package zap

import written "github.com/blevesearch/zapx/v16"

// ZapPlugin is the format that is written, under the number of this one.
type ZapPlugin struct{ written.ZapPlugin }

// Version returns 13.
func (*ZapPlugin) Version() uint32 { return 13 }

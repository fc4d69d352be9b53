package report

import (
	"fmt"

	"sitesync/internal/document"
)

// BulkLine returns one line that tells of a run's bulk delete: its filter, and the
// forecast.
func BulkLine(b *document.Bulk) string {
	return fmt.Sprintf("bulk delete where Date_date before %s: %d documents", b.Before, b.Documents)
}

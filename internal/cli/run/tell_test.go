package run

import (
	"fmt"
	"testing"

	"sitesync/internal/notify"
)

// TestMailPage: of a page that is too large for mail no more is kept than shows that.
func TestMailPage(t *testing.T) {
	var page mailPage
	for range 3 * notify.MaxPage / 100 {
		if n, err := fmt.Fprintf(&page, "%100d", 1); n != 100 || err != nil {
			t.Fatal(n, err)
		}
	}
	if n := page.Len(); n <= notify.MaxPage || n > notify.MaxPage+100 {
		t.Errorf("%d bytes are kept", n)
	}
}

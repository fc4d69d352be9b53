package crawl_test

import (
	"os"
	"testing"

	"sitesync/internal/testsite/inmemory"
)

func TestMain(m *testing.M) {
	inmemory.Folders()
	os.Exit(m.Run())
}

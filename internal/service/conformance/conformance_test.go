package conformance

import (
	"flag"
	"os"
	"testing"
	"time"
)

// TestHosted checks the service that the flags name.
func TestHosted(t *testing.T) {
	if *base == "" {
		t.Skip("no hosted service is checked: give -conformance.base, -conformance.customer, -conformance.crawler, and the key in SITESYNC_API_KEY")
	}
	key := os.Getenv("SITESYNC_API_KEY")
	if key == "" || *customer == 0 || *crawler == "" {
		t.Fatal("give -conformance.customer, -conformance.crawler, and the key in the environment variable SITESYNC_API_KEY")
	}
	Run(t, Target{BaseURL: *base, CustomerID: *customer, APIKey: key, CrawlerID: *crawler, Wait: *wait})
}

var (
	base     = flag.String("conformance.base", "", "base address of the service to check, without a slash at the end")
	customer = flag.Int64("conformance.customer", 0, "customer ID")
	crawler  = flag.String("conformance.crawler", "", "crawler ID that may be written to")
	wait     = flag.Duration("conformance.wait", 30*time.Second, "how long a write may take to show")
)

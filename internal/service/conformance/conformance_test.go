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
	Run(t, Target{
		BaseURL: *base, CustomerID: *customer, APIKey: key, CrawlerID: *crawler, EngineID: *engine, Wait: *wait,
		Extended: *extended, Events: *events, Ranking: *rankingID, Quicklink: *quicklink,
	})
}

var (
	base      = flag.String("conformance.base", "", "base address of the service to check, without a slash at the end")
	customer  = flag.Int64("conformance.customer", 0, "customer ID")
	crawler   = flag.String("conformance.crawler", "", "crawler ID that may be written to")
	engine    = flag.Int64("conformance.engine", 0, "engine ID whose search tools may be written to; 0: they are not checked")
	rankingID = flag.Int64("conformance.ranking", 0, "ID of a ranking that may be written to, and is restored; 0: one is made, which stays with empty lists")
	quicklink = flag.Int64("conformance.quicklink", 0, "ID of a quicklink that may be written to, and is restored; 0: they are not checked")
	events    = flag.Bool("conformance.events", false, "record tracking events and feedback, which no call takes back")
	extended  = flag.Bool("conformance.extended", false, "check the operations that the specification does not show")
	wait      = flag.Duration("conformance.wait", 30*time.Second, "how long a write may take to show")
)

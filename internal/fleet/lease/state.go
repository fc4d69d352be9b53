package lease

import (
	"fmt"
	"time"

	"sitesync/internal/document"
)

// State is the entry of a site: who runs it, where its ledger is, its last result.
type State struct {
	Number  uint64    `json:"number"`            // grows with each lease
	Holder  string    `json:"holder,omitempty"`  // the worker that has the lease; empty: nobody
	Length  int64     `json:"length,omitempty"`  // of that lease, in milliseconds
	Beat    uint64    `json:"beat,omitempty"`    // grows with each renewal
	Since   time.Time `json:"since,omitzero"`    // when the lease was taken, on the holder's clock
	Due     time.Time `json:"due,omitzero"`      // the due time that is under way
	Done    time.Time `json:"done,omitzero"`     // the latest due time that was run to its end
	Tries   int       `json:"tries,omitempty"`   // leases since the last result that ended without one, this one included
	Ledger  *File     `json:"ledger,omitempty"`  // nil: the site has none yet
	Plan    *Plan     `json:"plan,omitempty"`    // being sent; nil: none
	Last    *Result   `json:"last,omitempty"`    // nil: it never ran
	NotWell time.Time `json:"notwell,omitzero"`  // since when its results are not 0; zero: it is well
	Trouble string    `json:"trouble,omitempty"` // why there is no newer result, such as a worker's fault; one line
	Kept    *Kept     `json:"kept,omitempty"`    // a ledger that Ledger does not come from; nil: none was found
	Told    bool      `json:"told,omitempty"`    // an operator gave the site its ledger, or had it begin anew: other ledgers don't count
}

// Kept is a ledger that a worker has of a site, and that the fleet has lost.
type Kept struct {
	Worker string `json:"worker"`
	Path   string `json:"path"`   // on the worker's machine
	Number uint64 `json:"number"` // of the lease that committed it: of several the greatest is the latest
}

// Text says so of a site, and where it stands what to do.
func (k *Kept) Text(site string) string {
	return fmt.Sprintf("the servers lost the ledger, %s still has one: sitesync fleet set --ledger gives it back; see sitesync fleet status %s", k.Worker, site)
}

// File is what is stored of a file under the lease with a number.
type File struct {
	Number uint64 `json:"number"`
	Size   int64  `json:"size"`   // in bytes
	Sum    string `json:"sum"`    // SHA-256 of the list of its parts, in hex
	Stored int64  `json:"stored"` // bytes of all its parts as they are stored

	Line string `json:"line,omitempty"` // of a ledger: that of the one it comes from; it begins with Index and a space
}

// Plan is a plan that is being sent.
type Plan struct {
	File
	Run string    `json:"run"` // its run
	Due time.Time `json:"due"` // that the run is for
	At  time.Time `json:"at"`  // when it was stored

	// Marks tells how far earlier leases came with it: whoever takes it over adds how many
	// marks it found, so that what an earlier holder writes later counts for nothing.
	Marks []Marks `json:"marks,omitempty"`
}

// Marks says how many marks of a lease count.
type Marks struct {
	Number uint64 `json:"number"` // of the lease
	Count  int    `json:"count"`
}

// Result is how a run ended.
type Result struct {
	Run       string          `json:"run,omitempty"` // empty: it ended before it had a name
	Worker    string          `json:"worker"`
	Due       time.Time       `json:"due,omitzero"`
	Start     time.Time       `json:"start"`
	Took      int64           `json:"duration_ms"`
	Exit      int             `json:"exit"`              // of sync
	Stopped   string          `json:"stopped,omitempty"` // why it ended early
	Counts    document.Counts `json:"counts"`
	Doubt     int             `json:"doubt"`             // records in doubt
	Documents int             `json:"documents"`         // that the index holds, by the ledger
	Resumed   bool            `json:"resumed,omitempty"` // it took over a plan that another worker was sending
}

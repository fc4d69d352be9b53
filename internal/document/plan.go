package document

// Observation is a record to be kept without any call: misses counted, hints
// learned, a redirect's source. A nil Next removes the record.
type Observation struct {
	ID   string  `json:"id"`
	Next *Record `json:"next"`
}

// Settled is a change with what became of it.
type Settled struct {
	Change  Change
	Outcome Outcome
}

// Batch is what one transaction of an apply writes.
type Batch struct {
	Settled  []Settled // what became of the last changes
	Intents  []Change  // what is sent next: their records go to doubt, and only an outcome takes them out
	Observed []Observation
	Noted    []Entry // for the history only: what is held or parked is derived anew by each run
}

// Empty reports whether the batch has nothing to write.
func (b *Batch) Empty() bool {
	return len(b.Settled)+len(b.Intents)+len(b.Observed)+len(b.Noted) == 0
}

// PlanHeader is the first line of a plan.
type PlanHeader struct {
	Version    int    `json:"version"`
	Run        string `json:"run"`
	Start      int64  `json:"start"` // Unix seconds
	Target     Target `json:"target"`
	Config     string `json:"config"`        // fingerprint of the configuration, without secrets
	Generation uint64 `json:"generation"`    // of the ledger it was made from
	Mode       string `json:"mode"`          // how changes are told to the service: documents, or URLs to which crawler
	Via        bool   `json:"via,omitempty"` // it shows a staging host, and is not to be applied
}

// PlanTrailer is the last line of a plan.
type PlanTrailer struct {
	Summary   Summary               `json:"summary"`
	Hosts     map[string]HostMemory `json:"hosts"`
	Origins   []string              `json:"origins"`             // that the ledger is pinned to from now on
	Retention []string              `json:"retention,omitempty"` // rules, as written, of which this plan holds an effect
	Profile   Profile               `json:"profile,omitempty"`   // sections that are new or changed
	Rules     Rules                 `json:"rules,omitempty"`     // that every document is made by from now on; none: that is not sure
	Sums      []string              `json:"sums"`                // XXH64 of the lines of each part of the file, but for this one
}

package work

import "path/filepath"

// traceFile outlives the runs, and the ledger where that is lost.
const traceFile = "ledger.json"

// Trace is what the last run left in the ledger: a work folder keeps it, so that the loss
// of the ledger is noticed.
type Trace struct {
	File      string `json:"file"`   // the ledger's path, as seen from the work folder
	Ledger    string `json:"ledger"` // its identity
	Run       string `json:"run"`
	Documents int    `json:"documents"`
}

// Leave keeps the trace of the ledger at path in the work folder dir, in place of the one
// that is there.
func Leave(dir, path string, t Trace) error {
	t.File = seenFrom(dir, path)
	return writeJSON(filepath.Join(dir, traceFile), t)
}

// Left returns the trace of the ledger at path; the zero one where there is none.
func Left(dir, path string) Trace {
	t, err := readJSON[Trace](filepath.Join(dir, traceFile))
	if err != nil || t.File != seenFrom(dir, path) {
		return Trace{}
	}
	return t
}

// seenFrom returns the path from the work folder on: it stays the same where both are
// moved together.
func seenFrom(dir, path string) string {
	from, err := filepath.Rel(dir, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(from)
}

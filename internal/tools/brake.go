package tools

import "fmt"

// freeDeletes is how many search tools may go at once whatever their share.
const freeDeletes = 3

// brake holds the deletes of a file that lost more than half of what the ledger knows:
// an emptied or mistaken file must not empty the engine.
func brake(all []facts) {
	living, leaving := 0, []*facts{}
	for i := range all {
		f := &all[i]
		if f.known == nil || f.known.Retired {
			continue
		}
		living++
		if f.Body == nil {
			leaving = append(leaving, f)
		}
	}
	if len(leaving) <= freeDeletes || 2*len(leaving) <= living {
		return
	}
	for _, f := range leaving {
		f.braked = fmt.Sprintf("%d of %d search tools left the file at once; apply --allow-deletes deletes them", len(leaving), living)
	}
}

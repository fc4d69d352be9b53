package plan

import (
	"cmp"
	"slices"
	"strings"

	"sitesync/internal/document"
)

// keptTrips is how many reasons for holding something a run tells one by one: those
// that hold most.
const keptTrips = 100

// trips sums up what brakes hold, by reason.
type trips map[tripKey]*document.Tripped

// tripKey is what the changes have in common that one reason holds. The release has
// the cause of a change where it matters.
type tripKey struct {
	brake          document.Brake
	group, release string
}

// add counts one held change; first names what there is to say of its reason.
func (t trips) add(held document.Tripped) {
	key := tripKey{held.Brake, held.Group, held.Release}
	if t[key] == nil {
		t[key] = &held
	}
	t[key].Held++
}

// sums returns the reasons, those that hold most first. Beyond keptTrips one line for
// each brake stands for the others, two where only a part of them can be released.
func (t trips) sums() []document.Tripped {
	var all, kept []document.Tripped
	for _, trip := range t {
		all = append(all, *trip)
	}
	slices.SortFunc(all, func(a, b document.Tripped) int {
		return cmp.Or(cmp.Compare(b.Held, a.Held), cmp.Compare(a.Brake, b.Brake), strings.Compare(a.Group, b.Group), strings.Compare(a.Release, b.Release))
	})
	if len(all) <= keptTrips {
		return all
	}
	kept = all[:keptTrips:keptTrips]
	for _, trip := range all[keptTrips:] {
		release := "sitesync approve --all"
		if trip.Release == "" {
			release = ""
		}
		at := slices.IndexFunc(kept, func(k document.Tripped) bool {
			return k.Group == document.OtherGroups && k.Brake == trip.Brake && k.Release == release
		})
		if at < 0 {
			at = len(kept)
			kept = append(kept, document.Tripped{Brake: trip.Brake, Group: document.OtherGroups, Why: "more groups of this kind, with fewer changes each", Release: release})
		}
		kept[at].Held += trip.Held
	}
	return kept
}

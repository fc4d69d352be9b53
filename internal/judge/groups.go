package judge

import "sitesync/internal/document"

// Where the brakes by groups begin.
const (
	groupDocuments = 20 // documents of a group that can empty
	groupKnown     = 5  // known documents of a group that can be sick
)

// Group is what the brakes measure of one group of documents: a host, a folder of it
// or a type.
type Group struct {
	Name      string // https://www.example.com/, https://www.example.com/news/ or a type
	Documents int    // that the index holds, or may hold
	Deletes   int    // due, without those that do not count
	Known     int    // documents that were read in this run, and of which the ledger knows what the index holds
	Worse     int    // of those, by Worse
}

// Emptied reports whether more than half of the group's documents would go.
func (g Group) Emptied() bool { return g.Documents >= groupDocuments && 2*g.Deletes > g.Documents }

// Sick reports whether more than half of the group's documents lost what they had.
func (g Group) Sick() bool { return g.Known >= groupKnown && 2*g.Worse > g.Known }

// Count takes one known URL in that was judged.
func (g *Group) Count(f *Facts, c *document.Change) {
	if c != nil && c.State == document.Planned && Counts(c) {
		g.Deletes++
	}
	if f.Sighting.Seen == document.Read && f.Sighting.Fetched && len(f.Record.Fields) > 0 {
		g.Known++
		if Worse(f) {
			g.Worse++
		}
	}
}

// first returns the first of a change's groups of which something is true.
func (d *Due) first(is func(Group) bool) (Group, bool) {
	for _, g := range d.Groups {
		if is(g) {
			return g, true
		}
	}
	return Group{}, false
}

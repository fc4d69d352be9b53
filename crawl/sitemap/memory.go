package sitemap

import (
	"maps"
	"slices"
)

// MaxFiles is how many files of a host are remembered; any beyond counts as one that
// listed something.
const MaxFiles = 10_000

// Memory is how much each file of a host lists, by the fingerprint of its address: in
// the runs before, and in this one.
type Memory struct {
	was, now map[uint64]int
	hidden   map[uint64]int // of those before, what this run did not look at
}

// NewMemory returns the memory of a host of which so much was remembered.
func NewMemory(was map[uint64]int) *Memory {
	return &Memory{was: was, now: map[uint64]int{}, hidden: maps.Clone(was)}
}

// Listed reports whether a file listed something before it could not be read, and
// whether that is not forgotten yet.
func (m *Memory) Listed(file uint64) bool { return m.was[file] > 0 || len(m.was) >= MaxFiles }

// Note notes how much a file lists, as far as there is room: at least half of what it
// did, so that a file that shrinks or dies is believed after some nights.
func (m *Memory) Note(file uint64, count int) {
	delete(m.hidden, file)
	m.set(file, max(count, m.was[file]/2))
}

// Forget notes that a file lists nothing any more.
func (m *Memory) Forget(file uint64) { delete(m.hidden, file) }

func (m *Memory) set(file uint64, count int) {
	if count > 0 && len(m.now) < MaxFiles {
		m.now[file] = count
	}
}

// Files returns what is to be remembered. Of the files that a broken index hid in this
// run that is what was known before.
func (m *Memory) Files(broken bool) map[uint64]int {
	if broken {
		for _, file := range slices.Sorted(maps.Keys(m.hidden)) {
			m.set(file, m.hidden[file])
		}
	}
	return m.now
}

package pace

import "sitesync/internal/document"

const (
	breakerRow    = 20  // failures in a row that end the run for a host
	breakerWindow = 100 // looks of which half may fail
	hopelessRow   = 5   // failures in a row after which no page is asked again
)

// Breaker counts the looks at a host's pages, and which of them failed. It is not safe
// for concurrent use.
type Breaker struct {
	Asked, Unread int

	row  int // failures in a row
	last int // failures of the window
	fail [breakerWindow]bool
	kind [breakerWindow]document.HostState // what stood before the pages that failed
}

// Count counts one look; kind is what stood before a page that failed.
func (b *Breaker) Count(failed bool, kind document.HostState) {
	at := b.Asked % breakerWindow
	if b.fail[at] {
		b.last--
	}
	b.fail[at], b.kind[at] = failed, kind
	b.Asked++
	if !failed {
		b.row = 0
		return
	}
	b.Unread, b.row, b.last = b.Unread+1, b.row+1, b.last+1
}

// Open reports whether the host is to be given up: twenty failures in a row, or half of
// the last hundred.
func (b *Breaker) Open() bool {
	return b.row >= breakerRow || b.Asked >= breakerWindow && b.last >= breakerWindow/2
}

// Hopeless reports whether so many pages in a row failed that none is asked again: a
// host that is down is given up soon.
func (b *Breaker) Hopeless() bool { return b.row >= hopelessRow }

// State returns the state that more than half of the last failures speak for.
func (b *Breaker) State() document.HostState {
	kinds := map[document.HostState]int{}
	for i, failed := range b.fail {
		if failed {
			kinds[b.kind[i]]++
		}
	}
	for kind, n := range kinds {
		if kind != "" && 2*n > b.last {
			return kind
		}
	}
	return document.HostUnreachable
}

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

	row           int // failures in a row
	last          int // failures of the window
	fail, guarded [breakerWindow]bool
}

// Count counts one look; guarded says that something stood before the page.
func (b *Breaker) Count(failed, guarded bool) {
	at := b.Asked % breakerWindow
	if b.fail[at] {
		b.last--
	}
	b.fail[at], b.guarded[at] = failed, guarded
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

// State returns the state that the last failures speak for: guarded where something stood
// before more than half of the pages.
func (b *Breaker) State() document.HostState {
	guarded := 0
	for i, failed := range b.fail {
		if failed && b.guarded[i] {
			guarded++
		}
	}
	if 2*guarded > b.last {
		return document.HostGuarded
	}
	return document.HostUnreachable
}

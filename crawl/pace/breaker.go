package pace

import "sitesync/internal/document"

const (
	breakerRow    = 20  // failures in a row after which the host is given up (gets no more requests)
	breakerWindow = 100 // among this many last pages, less than half may fail
	hopelessRow   = 5   // failures in a row after which no page is retried
)

// Breaker counts the requested pages of a host and their failures. It is not safe for concurrent use.
type Breaker struct {
	Asked, Unread int

	row           int // failures in a row
	last          int // failures among the last breakerWindow pages
	fail, guarded [breakerWindow]bool
}

// Count counts one page. guarded says that a login or a challenge stood in place of the page.
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

// Open reports whether to give up the host: after 20 failures in a row, or 50 among the last 100 pages.
func (b *Breaker) Open() bool {
	return b.row >= breakerRow || b.Asked >= breakerWindow && b.last >= breakerWindow/2
}

// Hopeless reports whether the last five pages all failed. Pages are then no longer retried, so that a host
// that is down is given up soon.
func (b *Breaker) Hopeless() bool { return b.row >= hopelessRow }

// State returns the state of a host that was given up: HostGuarded if a login or a challenge caused more than
// half of the last failures, otherwise HostUnreachable.
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

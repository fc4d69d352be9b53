package pace

import "sitesync/internal/document"

const (
	breakerRow    = 20  // failures in a row after which the host is given up (gets no more requests)
	breakerWindow = 100 // number of last pages, of which fewer than half may fail
	hopelessRow   = 5   // failures in a row after which no page is retried
)

// Breaker counts the requested pages of a host and their failures. It is not safe for concurrent use.
type Breaker struct {
	Asked, Unread int

	failedInRow    int
	failedInWindow int
	fail, guarded  [breakerWindow]bool
}

// Count counts one page. guarded says that a login or a bot challenge stood in place of the page.
func (b *Breaker) Count(failed, guarded bool) {
	at := b.Asked % breakerWindow
	if b.fail[at] {
		b.failedInWindow--
	}
	b.fail[at], b.guarded[at] = failed, guarded
	b.Asked++
	if !failed {
		b.failedInRow = 0
		return
	}
	b.Unread, b.failedInRow, b.failedInWindow = b.Unread+1, b.failedInRow+1, b.failedInWindow+1
}

// Open reports whether to give up the host: after 20 failures in a row, or 50 among the last 100 pages.
func (b *Breaker) Open() bool {
	return b.failedInRow >= breakerRow || b.Asked >= breakerWindow && b.failedInWindow >= breakerWindow/2
}

// Hopeless reports whether the last five pages all failed. Pages are then no longer retried, so that a host
// that is down is given up soon.
func (b *Breaker) Hopeless() bool { return b.failedInRow >= hopelessRow }

// State returns the state of a host that was given up: HostGuarded if a login or a bot challenge caused more
// than half of the failures among the last 100 pages, otherwise HostUnreachable.
func (b *Breaker) State() document.HostState {
	guarded := 0
	for i, failed := range b.fail {
		if failed && b.guarded[i] {
			guarded++
		}
	}
	if 2*guarded > b.failedInWindow {
		return document.HostGuarded
	}
	return document.HostUnreachable
}

package service

import (
	"errors"
	"slices"
	"sync"
)

// ErrExposed is why a switch is refused: the service is, or is to be, reached
// from other machines.
var ErrExposed = errors.New("switches are refused off loopback: listen on 127.0.0.1, or set none")

// switchboard holds the switches in force and counts the faults down.
type switchboard struct {
	mu      sync.Mutex
	current *rules
	faults  []Fault // what is left of current.Faults
	exposed int     // listeners off loopback
}

func newSwitchboard(s Switches) (*switchboard, error) {
	b := &switchboard{}
	return b, b.set(s)
}

func (b *switchboard) set(s Switches) error {
	compiled, err := compile(s)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.exposed > 0 && s.Any() {
		return ErrExposed
	}
	b.current, b.faults = compiled, slices.Clone(s.Faults)
	return nil
}

func (b *switchboard) rules() *rules {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.current
}

// left returns the switches with what is left of their faults.
func (b *switchboard) left() Switches {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.remaining()
}

func (b *switchboard) remaining() Switches {
	s := b.current.Switches
	s.Faults = slices.Clone(b.faults)
	return s
}

// take returns the fault that strikes this call, and counts it.
func (b *switchboard) take(endpoint Endpoint) (Fault, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.faults {
		fault := &b.faults[i]
		switch {
		case fault.Endpoint != endpoint && fault.Endpoint != EndpointAny:
		case fault.Skip > 0:
			fault.Skip--
		default:
			return b.spend(i), true
		}
	}
	return Fault{}, false
}

// spend counts one call off a fault; a fault that is spent leaves the list.
func (b *switchboard) spend(i int) Fault {
	fault := b.faults[i]
	switch fault.Times {
	case 0:
	case 1:
		b.faults = slices.Delete(b.faults, i, i+1)
	default:
		b.faults[i].Times--
	}
	if fault.At == "" {
		fault.At = Before
	}
	return fault
}

// expose counts a listener off loopback in; it errs while a switch is set.
func (b *switchboard) expose() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.remaining().Any() {
		return ErrExposed
	}
	b.exposed++
	return nil
}

func (b *switchboard) hide() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.exposed--
}

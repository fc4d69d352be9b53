package fault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// ErrExposed is why a switch is refused: the service is, or is to be, reached
// from other machines.
var ErrExposed = errors.New("switches are refused off loopback: listen on 127.0.0.1, or set none")

// Panel holds the switches in force and counts calls. The zero Panel has none set.
type Panel struct {
	mu       sync.Mutex // guards what follows
	switches Switches   // with what is left of their faults
	exposed  bool       // other machines reached the service
	calls    map[Endpoint]int
}

// SetSwitches replaces all switches, and begins the counts of their faults anew.
// It errs when one makes no sense, and with ErrExposed when the service has
// listened off loopback.
func (p *Panel) SetSwitches(switches Switches) error {
	if err := switches.check(); err != nil {
		return fmt.Errorf("switches: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.exposed && switches.any() {
		return ErrExposed
	}
	switches.Faults = slices.Clone(switches.Faults)
	p.switches = switches
	return nil
}

// Switches returns the switches in force, with what is left of their faults.
func (p *Panel) Switches() Switches {
	p.mu.Lock()
	defer p.mu.Unlock()
	switches := p.switches
	switches.Faults = slices.Clone(switches.Faults)
	return switches
}

// Expose refuses switches from now on. It errs with ErrExposed while one is set.
func (p *Panel) Expose() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.switches.any() {
		return ErrExposed
	}
	p.exposed = true
	return nil
}

// Calls returns how many calls came to each endpoint, refused ones included,
// since the beginning or ResetCalls.
func (p *Panel) Calls() map[Endpoint]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.calls)
}

// ResetCalls forgets the counts.
func (p *Panel) ResetCalls() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = nil
}

// Count counts a call.
func (p *Panel) Count(endpoint Endpoint) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.calls == nil {
		p.calls = map[Endpoint]int{}
	}
	p.calls[endpoint]++
}

// Due returns the fault that strikes this call, and counts it; false when none does.
// A fault that is spent leaves the switches.
func (p *Panel) Due(endpoint Endpoint) (Fault, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.switches.Faults, func(f Fault) bool { return f.Endpoint == endpoint || f.Endpoint == "" })
	if i < 0 {
		return Fault{}, false
	}
	due := p.switches.Faults[i]
	if due.Times > 0 {
		p.switches.Faults[i].Times--
	}
	if due.Times == 1 {
		p.switches.Faults = slices.Delete(p.switches.Faults, i, i+1)
	}
	return due, true
}

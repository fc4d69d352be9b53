package fault

import "sync"

// Panel holds the switches in force. The zero Panel has none set.
type Panel struct {
	mu       sync.Mutex
	switches Switches
}

// SetSwitches replaces all switches.
func (p *Panel) SetSwitches(switches Switches) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.switches = switches
}

// Switches returns the switches in force.
func (p *Panel) Switches() Switches {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.switches
}

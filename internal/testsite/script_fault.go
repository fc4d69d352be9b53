package testsite

import (
	"fmt"
	"strings"
)

// faultCommands make a pattern misbehave as Fault takes it.
func faultCommands() []command {
	return []command{
		{"status PATTERN CODE [RETRY-AFTER]", numbered(func(n int, w []string) Fault { return Status(n, w[2]) })},
		{"say PATTERN CODE TITLE|TEXT", numbered(func(n int, w []string) Fault {
			title, text, _ := strings.Cut(w[2], "|")
			return Say(n, title, text)
		})},
		{"stand PATTERN KIND", func(s *Site, w []string) error {
			wall := walls[w[1]]
			if wall == nil {
				return fmt.Errorf("nothing is called %q", w[1])
			}
			s.Fault(w[0], wall())
			return nil
		}},
		{"vanish PATTERN [CODE]", func(s *Site, w []string) error {
			status, err := number(w[1], "0")
			if err == nil {
				s.Fault(w[0], s.Vanish(status))
			}
			return err
		}},
		{"cut PATTERN BYTES", numbered(func(n int, _ []string) Fault { return Cut(n) })},
		{"truncate PATTERN BYTES", numbered(func(n int, _ []string) Fault { return Truncate(n) })},
		{"reset PATTERN BYTES", numbered(func(n int, _ []string) Fault { return Reset(n) })},
		{"oversize PATTERN BYTES", numbered(func(n int, _ []string) Fault { return Oversize(int64(n)) })},
		{"bomb PATTERN BYTES", numbered(func(n int, _ []string) Fault { return Bomb(int64(n)) })},
		{"answer PATTERN BYTES", do(func(s *Site, w []string) { s.Fault(w[0], Raw(unquote(w[1]))) })},
		{"headers PATTERN N BYTES", func(s *Site, w []string) error {
			size, err := number(w[2], "")
			if err != nil {
				return err
			}
			return numbered(func(n int, _ []string) Fault { return Headers(n, size) })(s, w)
		}},
		{"header PATTERN NAME [VALUE]", do(func(s *Site, w []string) { s.Fault(w[0], Header(w[1], unquote(w[2]))) })},
		{"auth PATTERN USER PASSWORD", do(func(s *Site, w []string) { s.Fault(w[0], BasicAuth(w[1], w[2])) })},
		{"sessions PATTERN NAME", do(func(s *Site, w []string) { s.Fault(w[0], Sessions(w[1])) })},
		{"endless PATTERN", do(func(s *Site, w []string) { s.Fault(w[0], Endless()) })},
		{"hold PATTERN", do(func(s *Site, w []string) { s.gate(w[0], Hold) })},
		{"stall PATTERN", do(func(s *Site, w []string) {
			s.gate(w[0], func(gate <-chan struct{}) Fault { return Drip(1, gate) })
		})},
	}
}

// numbered sets a fault that takes the number in the second word.
func numbered(fault func(n int, words []string) Fault) func(*Site, []string) error {
	return func(s *Site, w []string) error {
		n, err := number(w[1], "")
		if err == nil {
			s.Fault(w[0], fault(n, w))
		}
		return err
	}
}

// limited sets a fault for some requests only.
func limited(limit func(int, Fault) Fault) func(*Site, []string) error {
	return func(s *Site, w []string) error {
		n, err := number(w[0], "")
		if err != nil {
			return err
		}
		if err := s.runOf(faultCommands(), w[1]); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		faults := s.faults[len(s.faults)-1].faults
		for i, f := range faults {
			faults[i] = limit(n, f)
		}
		return nil
	}
}

// gate sets a fault that waits for release.
func (s *Site) gate(pattern string, fault func(gate <-chan struct{}) Fault) {
	_ = s.release(pattern) // no request may wait for a gate that nobody holds
	gate := make(chan struct{})
	s.Fault(pattern, fault(gate))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.gates[pattern] = gate
}

// release opens the gate of a pattern and ends its fault.
func (s *Site) release(pattern string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	gate, ok := s.gates[pattern]
	if !ok {
		return fmt.Errorf("nothing is held at %s", pattern)
	}
	close(gate)
	delete(s.gates, pattern)
	s.heal(pattern)
	return nil
}

package ui

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
)

// newPlan makes a plan in the background, and shows it from then on.
func (s *Server) newPlan(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	busy := s.making || s.o.Run == nil
	s.making, s.made = true, s.made+1
	path := filepath.Join(s.o.Dir, fmt.Sprintf("plan-%d", s.made))
	s.mu.Unlock()
	if !busy {
		s.work.Go(func() error {
			answer := s.o.Run(s.ctx, "plan", "--output", path)
			var p *pending
			if _, err := os.Stat(path); err == nil {
				p = s.openPlan(path)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			s.making = false
			if p == nil {
				s.flash = "No plan was made. " + Answer{Err: answer.Err}.Says()
				return nil
			}
			s.plan = p
			return nil
		})
	}
	http.Redirect(w, r, "/plan/changes", http.StatusSeeOther)
}

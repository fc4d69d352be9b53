package service

// answerRoutes are those of AI chat answer and AI summary generation, whose paths alone the
// specification gives (sections 4.5 and 9).
func (s *Service) answerRoutes() []route { return nil }

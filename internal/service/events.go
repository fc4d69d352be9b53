package service

// eventRoutes are those of specification sections 4.3 and 4.4.
func (s *Service) eventRoutes() []route { return nil }

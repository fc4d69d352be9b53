package plan

import "sitesync/internal/document"

// remember returns the memory of each host for the next run. Links cross hosts. If one host was not covered
// or is ill, its new pages may have no record yet, so Followed is cleared on all hosts. An unreachable host
// of files does not count, because then every run would read all pages.
func (s *site) remember() map[string]document.HostMemory {
	missed := s.missed()
	for _, h := range s.survey.Hosts {
		memory := s.memories[h.Host]
		if !s.options.Only {
			memory.Followed, memory.Folded, memory.Repeats = "", h.Folded, h.Repeats
			if !missed && h.Covered {
				memory.Followed = h.Followed
			}
			rememberSitemaps(&memory, &h)
			if h.Robots != nil {
				memory.Robots = *h.Robots
			}
		}
		s.memories[h.Host] = memory
	}
	return s.memories
}

// rememberSitemaps updates the expected size of a host's sitemaps. In each run it falls by half of the
// difference, so that a collapse is believed after some runs, and at most doubles, so that one oversized
// sitemap does no harm.
func rememberSitemaps(memory *document.HostMemory, h *document.Host) {
	switch {
	case h.State != document.HostOK && h.State != document.HostSitemapCollapse:
		return
	// a sitemap that lost more than half may be wrong
	case h.State == document.HostSitemapCollapse || 2*h.Sitemap < memory.Sitemap:
		memory.Sitemap = (memory.Sitemap + h.Sitemap) / 2
	case memory.Sitemap == 0:
		memory.Sitemap = h.Sitemap
	default:
		memory.Sitemap = min(h.Sitemap, 2*memory.Sitemap)
	}
}

package plan

import "sitesync/internal/document"

// remember returns what the next run needs of each host. Followed lets that run skip unchanged pages. If a
// host looks broken, or some of its URLs were not looked at, its new pages may have no record yet. Followed is
// then cleared on all hosts, because links cross hosts. A host of which only files belong to the site does not
// count. Otherwise, each run would read all pages while such a host can't be reached.
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

// rememberSitemaps updates the expected number of URLs in a host's sitemaps. In each run the number falls by
// at most half of the difference, so that much smaller sitemaps are believed after some runs. It at most
// doubles, so that one oversized sitemap does no harm.
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

package plan

import "sitesync/internal/document"

// remember returns the data of each host that the next run needs. The next run skips unchanged pages only if
// HostMemory.Followed (a hash of the settings for links) is set. If a host is broken or was not fully read,
// new pages may have no record yet. Followed is then cleared on all hosts, because links cross hosts. Hosts
// with files only do not count: each run would read all pages while one of these hosts can't be reached.
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

// rememberSitemaps updates the expected number of URLs in a host's sitemaps. If the sitemaps list less than
// half of this number, the number falls only halfway. So much smaller sitemaps are believed after some runs.
// The number at most doubles, so that one oversized sitemap does no harm.
func rememberSitemaps(memory *document.HostMemory, h *document.Host) {
	switch {
	case h.State != document.HostOK && h.State != document.HostSitemapCollapse:
		return
	case h.State == document.HostSitemapCollapse || 2*h.Sitemap < memory.Sitemap:
		memory.Sitemap = (memory.Sitemap + h.Sitemap) / 2
	case memory.Sitemap == 0:
		memory.Sitemap = h.Sitemap
	default:
		memory.Sitemap = min(h.Sitemap, 2*memory.Sitemap)
	}
}

package plan

import "sitesync/internal/document"

// remember returns the data of each host that the next run needs. Followed lets the next run skip unchanged
// pages. If a host looks broken or was not fully looked at, some new pages may have no record yet. Followed
// is then cleared on all hosts, because links cross hosts. Hosts of which only files belong to the site are
// ignored. Otherwise each run would read all pages while such a host can't be reached.
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
// half of this number, it falls only halfway. Much smaller sitemaps are thus believed after some runs. The
// number at most doubles, so that one oversized sitemap does no harm.
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

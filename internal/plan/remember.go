package plan

import "sitesync/internal/document"

// remember returns, for each host, the data that the next run needs. HostMemory.Followed is a hash of the
// settings for links. If it is empty, the next run skips no unchanged pages. If a host is broken or was not
// fully read, Followed is empty for all hosts: any page may link to a missed page. But an unread host that
// has only files clears just its own Followed.
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

// rememberSitemaps updates the number of URLs that a host's sitemaps are expected to list. If they list less
// than half of it, the number falls only halfway. So it takes some runs until much smaller sitemaps are
// believed. The number at most doubles, so that one oversized sitemap does no harm.
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

package plan

import "sitesync/internal/document"

// remember returns what is to be kept of each host. Links cross hosts: if one of them was not covered
// or is ill, a new page there may have no record, and no host counts as followed. A dead host of files
// does not count: it would make every night read all pages.
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

// rememberSitemaps lets what is known of a host's sitemaps follow what they list: down
// by half of the way each run, so that a collapse is believed after some nights, and up
// to twice as much, so that one bloated night makes no collapse of the next ones.
func rememberSitemaps(memory *document.HostMemory, h *document.Host) {
	switch {
	case h.State != document.HostOK && h.State != document.HostSitemapCollapse:
		return
	case h.State == document.HostSitemapCollapse || 2*h.Sitemap < memory.Sitemap: // no trouble tonight, maybe
		memory.Sitemap = (memory.Sitemap + h.Sitemap) / 2
	case memory.Sitemap == 0:
		memory.Sitemap = h.Sitemap
	default:
		memory.Sitemap = min(h.Sitemap, 2*memory.Sitemap)
	}
}

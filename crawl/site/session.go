package site

import "sitesync/internal/weburl"

// WithSession returns where a redirect from a canonical URL leads that only writes a
// session into the page's own address, or another one: what is there is the page. It is
// empty for other redirects.
func (s *Site) WithSession(url, location string) string {
	target, err := s.Canon.Resolve(url, location)
	if location == "" || err != nil {
		return ""
	}
	form, session := weburl.SessionForm(target)
	own, _ := weburl.SessionForm(url)
	raw := weburl.Join(url, location)
	if target != url && !(session && form == own) || weburl.Origin(raw) != weburl.Origin(url) || raw == url {
		return ""
	}
	return raw
}

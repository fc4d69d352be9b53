package weburl

import "strings"

// dropParams removes the ignored parameters of s, and a query that is empty.
func (c *Canonicalizer) dropParams(s string) string {
	path, query, found := strings.Cut(s, "?")
	if !found {
		return s
	}
	if c.ignoresSome(query) {
		query = c.keptParams(query)
	}
	switch {
	case query == "":
		return path
	case len(path)+1+len(query) == len(s):
		return s
	}
	return path + "?" + query
}

func (c *Canonicalizer) ignoresSome(query string) bool {
	if len(c.ignore) == 0 {
		return false
	}
	for param := range strings.SplitSeq(query, "&") {
		if c.ignores(param) {
			return true
		}
	}
	return false
}

func (c *Canonicalizer) keptParams(query string) string {
	var kept []string
	for param := range strings.SplitSeq(query, "&") {
		if !c.ignores(param) {
			kept = append(kept, param)
		}
	}
	return strings.Join(kept, "&")
}

func (c *Canonicalizer) ignores(param string) bool {
	name, _, _ := strings.Cut(param, "=")
	for _, pattern := range c.ignore {
		if pattern.Match(name) {
			return true
		}
	}
	return false
}

package config

import "github.com/pelletier/go-toml/v2/unstable"

// check judges one [[fetch.auth]] as a whole. It goes by what the file holds,
// because a value may be pending.
func (a *Auth) check(r *reader, at string, n *node) {
	has := func(name string) bool { return n.table[name] != nil }
	switch {
	case !has("origin"):
		r.fault(n.line, at+".origin", "is missing: name the origin that gets these credentials, such as https://staging.example.com")
	case has("user") && !has("password"):
		r.fault(n.line, at+".password", "is missing: user needs a password")
	case has("password") && !has("user"):
		r.fault(n.line, at+".user", "is missing: password needs a user")
	case !has("user") && !has("headers"):
		r.fault(n.line, at, "needs user and password, or headers")
	}
	if a.Origin == "" {
		return
	}
	if first := r.origins[a.Origin]; first > 0 {
		r.fault(n.line, at+".origin", "has credentials already, on line %d: put them together", first)
	}
	r.origins[a.Origin] = n.line
}

// check judges one [[delete.retention]] as a whole.
func (*Retention) check(r *reader, at string, n *node) {
	if where := n.table["where"]; where == nil || where.kind == unstable.Array && len(where.items) == 0 {
		r.fault(n.line, at+".where", `is missing: name the paths that the rule covers, such as ["/news/**"]`)
	}
	if n.table["before"] == nil {
		r.fault(n.line, at+".before", `is missing: give an age such as "2y" or a day such as "2024/01/01"`)
	}
}

// check judges the configuration as a whole.
func (c *Config) check(r *reader) {
	if len(c.Site.Start) == 0 && !r.touched("site.start") {
		r.fault(lineOf(r.lines, "site.start"), "site.start", `is missing: name the site's first page, such as ["https://www.example.com/"]`)
	}
	if c.Site.Folder != "" && len(c.Site.Start) > 1 {
		r.fault(lineOf(r.lines, "site.folder"), "site.folder", "stands for one address, but site.start names %d", len(c.Site.Start))
	}
	if c.Push.APIKeyFile != "" && (c.Push.APIKey != "" || r.touched("push.api_key")) {
		r.fault(lineOf(r.lines, "push.api_key_file"), "push.api_key_file", "stands beside push.api_key: remove one of the two")
	}
}

package crawl

import (
	"fmt"
	"unicode/utf8"

	"sitesync/internal/weburl"
)

// Owned errs, saying why, unless id is an address of the site in today's form, or one
// that today's rules write as such an address. It asks nobody, so that another form of a
// start origin is none of the site's.
func (c *Crawler) Owned(id string) error {
	if !utf8.ValidString(id) {
		return fmt.Errorf("%q is not valid UTF-8", id)
	}
	if len(id) > weburl.MaxLen {
		return fmt.Errorf("%s has %d bytes; an ID has %d at most", id, len(id), weburl.MaxLen)
	}
	url, err := weburl.NewCanonicalizer(c.opts.IgnoreParams).URL(id)
	if err != nil {
		return err
	}
	if ok, why := c.inScope(url); !ok {
		return fmt.Errorf("%s is out of scope: %s", id, why)
	}
	return nil
}

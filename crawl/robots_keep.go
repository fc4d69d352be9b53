package crawl

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"sitesync/internal/spool"
)

// robotsServes is how long a robots.txt that was read serves where it can't be read
// again. RFC 9309, section 2.4, allows a day.
const robotsServes = time.Hour

// keepRobots keeps a host's robots.txt in the work folder. Since that is cleared
// when a run has finished, the copy serves an interrupted run that is gone on with,
// and no other.
func (r *run) keepRobots(h *host, body []byte) {
	if r.opts.Work == "" {
		return
	}
	path := r.robotsPath(h)
	// What can't be written is as if it had not been kept.
	if err := os.WriteFile(path+".new", body, 0o600); err == nil {
		_ = os.Rename(path+".new", path)
	}
}

// keptRobots returns the copy that serves in place of a robots.txt that can't be
// read, if there is one.
func (r *run) keptRobots(h *host, why string) (body []byte, ok bool) {
	if r.opts.Work == "" {
		return nil, false
	}
	info, err := os.Stat(r.robotsPath(h))
	if err != nil {
		return nil, false
	}
	if age := r.now().Sub(info.ModTime()); age < 0 || age > robotsServes {
		return nil, false
	}
	if body, err = os.ReadFile(r.robotsPath(h)); err != nil {
		return nil, false
	}
	r.warn("robots", h.origin+"/robots.txt", fmt.Sprintf("%s; the copy read at %s serves", why, info.ModTime().UTC().Format(time.RFC3339)))
	return body, true
}

func (r *run) robotsPath(h *host) string {
	return filepath.Join(r.opts.Work, fmt.Sprintf("robots-%016x.txt", spool.Fingerprint(h.origin)))
}

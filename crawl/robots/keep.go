package robots

import (
	"os"
	"time"
)

// serves is how long a robots.txt that was read serves where it can't be read again.
// RFC 9309, section 2.4, allows a day.
const serves = time.Hour

// Keep writes a robots.txt that was read to a file. One that can't be written is as if
// it had not been kept.
func Keep(path string, body []byte) {
	if err := os.WriteFile(path+".new", body, 0o600); err == nil {
		_ = os.Rename(path+".new", path)
	}
}

// Kept returns the robots.txt that Keep wrote, and when, if it still serves at now.
func Kept(path string, now time.Time) (body []byte, at time.Time, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, at, false
	}
	if age := now.Sub(info.ModTime()); age < 0 || age > serves {
		return nil, at, false
	}
	body, err = os.ReadFile(path)
	return body, info.ModTime(), err == nil
}

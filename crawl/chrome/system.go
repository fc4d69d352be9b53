package chrome

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	mostMemory = 768 << 20 // most unshared bytes of one process of Chromium; each tab has one process
	lookEvery  = 100 * time.Millisecond
)

// watchMemory kills descendants of process pid that use more bytes than limit, until ctx is done. If the
// process of a page is killed, other pages are not affected. Without /proc, as on Windows, watchMemory does
// nothing.
func watchMemory(ctx context.Context, pid int, limit int64) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			endLarge(pid, limit)
		}
	}
}

func endLarge(pid int, limit int64) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		raw, _ := os.ReadFile(list) //nolint:gosec // a kernel file
		for _, word := range strings.Fields(string(raw)) {
			var child int
			var size, resident, shared int64
			raw, _ = os.ReadFile("/proc/" + word + "/statm")         //nolint:gosec // a kernel file
			_, _ = fmt.Sscan(string(raw), &size, &resident, &shared) // a process that has ended has no sizes
			_, _ = fmt.Sscan(word, &child)
			if process, err := os.FindProcess(child); err == nil && (resident-shared)*int64(os.Getpagesize()) > limit {
				_ = process.Kill()
			}
			endLarge(child, limit)
		}
	}
}

// ErrNoBrowser is returned if Chromium is not installed.
//
//nolint:staticcheck // an error may begin with a name
var ErrNoBrowser = errors.New("Chromium was not found: install it or name it in fetch.browser")

// Find returns the path of Chromium. A path that is not empty (fetch.browser) names the program. If path is
// empty, Find tries the usual names and places. It errs with ErrNoBrowser if there is no such program.
func Find(path string) (string, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("run %s: %w", path, ErrNoBrowser)
		}
		return found, nil
	}
	for _, name := range browserNames(runtime.GOOS) {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", ErrNoBrowser
}

func browserNames(system string) []string {
	switch system {
	case "darwin":
		return []string{
			"/Applications/Chromium.app/Contents/MacOS/Chromium",
			"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
			"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
			"chromium",
		}
	case "windows":
		return []string{
			"chrome",
			`C:\Program Files\Google\Chrome\Application\chrome.exe`,
			`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
			"msedge",
			`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
			`C:\Program Files\Microsoft\Edge\Application\msedge.exe`,
		}
	}
	return []string{
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "/snap/bin/chromium",
	}
}

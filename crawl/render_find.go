package crawl

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
)

// errNoBrowser tells what to do where there is no Chromium.
var errNoBrowser = errors.New("Chromium was not found: install it or name it in fetch.browser") //nolint:staticcheck // a name

// FindBrowser returns the path of the Chromium that renders pages: path
// (fetch.browser) itself, or where that is empty the first of the usual names and
// places. It errs when there is no such program.
func FindBrowser(path string) (string, error) {
	if path != "" {
		found, err := exec.LookPath(path)
		if err != nil {
			return "", fmt.Errorf("run %s: %w", path, errNoBrowser)
		}
		return found, nil
	}
	for _, name := range browserNames(runtime.GOOS) {
		if found, err := exec.LookPath(name); err == nil {
			return found, nil
		}
	}
	return "", errNoBrowser
}

// browserNames lists Chromium and what is built on it, by name and by place.
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
			"chrome", `C:\Program Files\Google\Chrome\Application\chrome.exe`, `C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
			"msedge", `C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`, `C:\Program Files\Microsoft\Edge\Application\msedge.exe`,
		}
	}
	return []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "/snap/bin/chromium"}
}

package pdf

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// isOurs errs unless the folder is in the user's cache, which Windows closes to others. It checks no rights.
func isOurs(dir string, _ fs.FileInfo) error {
	cache := filepath.Dir(userCache())
	if !strings.HasPrefix(dir, cache+string(filepath.Separator)) {
		return fmt.Errorf("%s is not in %s", dir, cache)
	}
	return nil
}

package pdf

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
)

// isOurs errs if the folder is outside the user's cache. Windows protects the cache from other users.
func isOurs(dir string, _ fs.FileInfo) error {
	cache := filepath.Dir(userCache())
	if !strings.HasPrefix(dir, cache+string(filepath.Separator)) {
		return fmt.Errorf("%s is not in %s", dir, cache)
	}
	return nil
}

//go:build unix

package pdf

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

// isOurs errs if another user can use the folder, or can replace one of its parent folders.
func isOurs(dir string, info fs.FileInfo) error {
	if owner(info) != os.Geteuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is open to others: it has to be yours, with mode 0700", dir)
	}
	above, err := filepath.EvalSymlinks(filepath.Dir(dir))
	if err != nil {
		return err
	}
	for {
		info, err := os.Stat(above)
		if err != nil {
			return err
		}
		foreign := owner(info) != 0 && owner(info) != os.Geteuid()
		if foreign || info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0 {
			return fmt.Errorf("%s is open to others: they could put another folder in the place of %s", above, dir)
		}
		if above == filepath.Dir(above) {
			return nil
		}
		above = filepath.Dir(above)
	}
}

func owner(info fs.FileInfo) int {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(stat.Uid)
	}
	return -1
}

package chrome

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	mostMemory = 768 << 20 // bytes of its own that a process of Chromium may use: each tab has one process
	lookEvery  = 100 * time.Millisecond
)

// watchMemory kills descendants of process pid that use more than most bytes, until ctx is done. A page whose
// process is killed is unread; other pages are not affected. It works on Linux only, since it reads /proc.
func watchMemory(ctx context.Context, pid int, most int64) {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
			endLarge(pid, most)
		}
	}
}

func endLarge(pid int, most int64) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		raw, _ := os.ReadFile(list) //nolint:gosec // a file of the kernel
		for _, word := range strings.Fields(string(raw)) {
			var child int
			var size, resident, shared int64
			raw, _ = os.ReadFile("/proc/" + word + "/statm")         //nolint:gosec // a file of the kernel
			_, _ = fmt.Sscan(string(raw), &size, &resident, &shared) // a process that has ended has no sizes
			_, _ = fmt.Sscan(word, &child)
			if process, err := os.FindProcess(child); err == nil && (resident-shared)*int64(os.Getpagesize()) > most {
				_ = process.Kill()
			}
			endLarge(child, most)
		}
	}
}

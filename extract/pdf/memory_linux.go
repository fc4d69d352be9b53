package pdf

import (
	"fmt"
	"os"
)

// memoryOf returns the bytes of memory that a process holds; 0 where that can't be
// told.
func memoryOf(pid int) int64 {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(raw), &size, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}

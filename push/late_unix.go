//go:build unix

package push

import (
	"runtime"
	"syscall"
	"time"
)

// giveUpAfter limits how long the kernel tries to deliver sent data, on Linux and macOS.
func giveUpAfter(fd uintptr, limit time.Duration) {
	switch runtime.GOOS {
	case "linux": // TCP_USER_TIMEOUT
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, 0x12, int(limit.Milliseconds()))
	case "darwin": // TCP_RXT_CONNDROPTIME
		_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, 0x80, max(1, int(limit.Seconds())))
	}
}

package push

import (
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

// giveUpAfter limits how long the kernel tries to deliver sent data.
func giveUpAfter(fd uintptr, limit time.Duration) {
	_ = syscall.SetsockoptInt(syscall.Handle(fd), syscall.IPPROTO_TCP, windows.TCP_MAXRT, max(1, int(limit.Seconds())))
}

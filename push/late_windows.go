package push

import (
	"syscall"
	"time"

	"golang.org/x/sys/windows"
)

func giveUpAfter(fd uintptr, limit time.Duration) {
	_ = syscall.SetsockoptInt(syscall.Handle(fd), syscall.IPPROTO_TCP, windows.TCP_MAXRT, max(1, int(limit.Seconds())))
}

package pdf

import "syscall"

// forbidCode makes the kernel refuse executable memory from now on, where it can:
// PR_SET_MDWE, Linux 6.3.
func forbidCode() bool {
	const prSetMDWE, refuseExecGain = 65, 1
	_, _, fault := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetMDWE, refuseExecGain, 0, 0, 0, 0)
	return fault == 0
}

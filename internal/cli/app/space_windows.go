package app

import "golang.org/x/sys/windows"

// freeBytes returns what this user may still write on the disk of dir.
func freeBytes(dir string) (int64, bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	var free uint64
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return int64(min(free, 1<<62)), err == nil
}

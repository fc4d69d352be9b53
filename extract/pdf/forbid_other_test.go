//go:build !linux

package pdf

func forbidCode() bool { return false }

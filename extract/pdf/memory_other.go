//go:build !linux

package pdf

// memoryOf is not known here: the limit of PDFium's own memory has to do.
func memoryOf(int) int64 { return 0 }

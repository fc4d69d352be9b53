package config

import (
	"os"
	"runtime"
	"slices"
)

// Warnings returns what is unwise but no fault: secrets in files that other
// users of the machine can read. Each is one line.
func (c *Config) Warnings() []string { return slices.Clone(c.warnings) }

func (c *Config) warn(literal string) {
	if literal != "" && readableByOthers(c.file) {
		c.warnings = append(c.warnings, c.file+" holds "+literal+" and other users can read it: chmod 600 the file, or use ${NAME}")
	}
	if file := c.Push.APIKeyFile; file != "" && readableByOthers(file) {
		c.warnings = append(c.warnings, "other users can read the key in "+file+": chmod 600 the file")
	}
}

// readableByOthers goes by the mode's bits; Windows has none, so there it is
// always false.
func readableByOthers(path string) bool {
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o044 != 0
}

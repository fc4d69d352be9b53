//go:build unix

package cli_test

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// processTime returns the processor time that this process has used.
func processTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// anonymousMB returns the anonymous memory of a process, "self" for this one; 0 where
// the system does not tell.
func anonymousMB(process string) float64 {
	status, err := os.ReadFile("/proc/" + process + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			return float64(atoi(rest)) / 1000
		}
	}
	return 0
}

// atoi reads the digits of "  123 kB".
func atoi(s string) int {
	n := 0
	for _, c := range s {
		if c >= '0' && c <= '9' {
			n = 10*n + int(c-'0')
		}
	}
	return n
}

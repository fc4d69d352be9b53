//go:build !unix

package cli_test

import (
	"testing"
	"time"
)

func processTime(b *testing.B) time.Duration {
	b.Skip("this system does not tell a process's time")
	return 0
}

func anonymousMB(string) float64 { return 0 }

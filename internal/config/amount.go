package config

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration is a span of time, never negative.
type Duration time.Duration

// ParseDuration reads "30s", "1h30m", "24h" or whole days as in "7d".
func ParseDuration(s string) (Duration, error) {
	if number, ok := strings.CutSuffix(s, "d"); ok {
		days, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			return 0, errDuration()
		}
		return Duration(days) * day, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, errDuration()
	}
	return Duration(d), nil
}

func errDuration() error { return errors.New(`must be a time such as "30s", "24h" or "7d"`) }

// String returns d as ParseDuration reads it.
func (d Duration) String() string {
	if d >= day && d%day == 0 {
		return fmt.Sprintf("%dd", d/day)
	}
	return time.Duration(d).String()
}

// Size is a number of bytes, never negative.
type Size int64

const (
	kilobyte Size = 1_000
	megabyte      = 1_000 * kilobyte
	gigabyte      = 1_000 * megabyte
	kibibyte Size = 1 << 10
	mebibyte      = kibibyte << 10
	gibibyte      = mebibyte << 10
)

// ParseSize reads "512B", "64KB", "25MB", "1GB" (powers of 1,000) and "KiB",
// "MiB", "GiB" (powers of 1,024), in any case.
func ParseSize(s string) (Size, error) {
	digits := strings.TrimLeft(s, "0123456789")
	number, err := strconv.ParseInt(s[:len(s)-len(digits)], 10, 64)
	unit := unitOf(strings.ToLower(strings.TrimSpace(digits)))
	if err != nil || unit == 0 || number > int64(math.MaxInt64/unit) {
		return 0, errors.New(`must be a size such as "25MB" or "1MiB"`)
	}
	return Size(number) * unit, nil
}

func unitOf(name string) Size {
	switch name {
	case "b":
		return 1
	case "kb":
		return kilobyte
	case "mb":
		return megabyte
	case "gb":
		return gigabyte
	case "kib":
		return kibibyte
	case "mib":
		return mebibyte
	case "gib":
		return gibibyte
	}
	return 0
}

// String returns s as ParseSize reads it, in the largest unit that fits.
func (s Size) String() string {
	for _, name := range []string{"GB", "GiB", "MB", "MiB", "KB", "KiB"} {
		if unit := unitOf(strings.ToLower(name)); s >= unit && s%unit == 0 {
			return strconv.FormatInt(int64(s/unit), 10) + name
		}
	}
	return strconv.FormatInt(int64(s), 10) + "B"
}

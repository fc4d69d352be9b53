package document

import (
	"fmt"
	"strconv"
	"strings"
)

// Number returns a number with commas between its thousands.
func Number[N ~int | ~int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Count returns a number with the right form of its noun: "1 page", "2,961 pages".
func Count(n int, one string) string {
	switch {
	case n == 1:
		return "1 " + one
	case strings.HasSuffix(one, "s"):
		one += "e"
	}
	return Number(n) + " " + one + "s"
}

// Of returns a part and its whole: "1 of 2,961 pages".
func Of(n, all int, one string) string { return Number(n) + " of " + Count(all, one) }

// FormatBytes returns n in MB and KB of 10^6 and 10^3 bytes, as the
// configuration does.
func FormatBytes(n int64) string {
	switch {
	case n >= 1e10:
		return fmt.Sprintf("%.0f GB", float64(n)/1e9)
	case n >= 1e6 && n%1e6 == 0:
		return fmt.Sprintf("%d MB", n/1e6)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3 && n%1e3 == 0:
		return fmt.Sprintf("%d KB", n/1e3)
	}
	return Count(int(n), "byte")
}

package document

import (
	"fmt"
	"strconv"
	"strings"
)

// Number formats n with commas between thousands.
func Number[N ~int | ~int64](n N) string {
	digits := strconv.FormatInt(int64(n), 10)
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Count formats a number and its noun, such as "1 page" or "2,961 pages". The noun is given in the singular.
func Count(n int, one string) string {
	switch {
	case n == 1:
		return "1 " + one
	case strings.HasSuffix(one, "s"):
		one += "e"
	}
	return Number(n) + " " + one + "s"
}

// Of formats a part of a whole, such as "1 of 2,961 pages".
func Of(n, all int, one string) string { return Number(n) + " of " + Count(all, one) }

// FormatBytes formats n with decimal units, such as "1.5 MB" for 1,500,000.
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

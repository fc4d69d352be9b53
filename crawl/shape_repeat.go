package crawl

import "strings"

const (
	repeatRow = 3  // times in a row that a path may not hold the same segments
	repeatAll = 4  // times that a path may not hold the same segment
	maxParts  = 64 // segments that are looked at
)

// repeated returns a pattern of paths that hold the same segments again and again,
// as a relative link that stands on every page makes them: three times in a row
// (/a/b/a/b/a/b), or one segment four times. Empty when path does not. Segments
// without a letter don't count: a date may well be /11/11/11.
func repeated(path string) string {
	if strings.Count(path, "/") < repeatRow {
		return ""
	}
	var held [maxParts]string
	parts := held[:0]
	for part := range strings.SplitSeq(path[1:], "/") {
		if len(parts) < maxParts {
			parts = append(parts, part)
		}
	}
	if unit := inRow(parts); unit != nil {
		return `(?:/` + formOf(strings.Join(unit, "/")) + `){3}(?:[/?]|$)`
	}
	if part := again(parts); part != "" {
		return `(?:/` + formOf(part) + `(?:/[^?]*)?){3}/` + formOf(part) + `(?:[/?]|$)`
	}
	return ""
}

// inRow returns the shortest segments that stand three times in a row.
func inRow(parts []string) []string {
	for period := 1; period*repeatRow <= len(parts); period++ {
		equal := 0
		for i := period; i < len(parts); i++ {
			if parts[i] != parts[i-period] {
				equal = 0
				continue
			}
			equal++
			if unit := parts[i-period+1 : i+1]; equal >= period*(repeatRow-1) && hasLetter(strings.Join(unit, "")) {
				return unit
			}
		}
	}
	return nil
}

// again returns the first segment that stands in the path four times.
func again(parts []string) string {
	for i, part := range parts {
		times := 1
		for _, other := range parts[i+1:] {
			if other == part {
				times++
			}
		}
		if times >= repeatAll && hasLetter(part) {
			return part
		}
	}
	return ""
}

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) })
}

func formOf(text string) string {
	pattern, _ := appendForm(nil, text)
	return string(pattern)
}

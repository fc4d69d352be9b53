package testsite

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// WordF1 returns the harmonic mean of precision and recall of the words of got
// against those of want, 0 to 1, as bags: order does not count, number does. Words
// are runs of letters and digits, in lower case.
func WordF1(got, want string) float64 {
	bag := map[string]int{}
	all := bagOf(want)
	for _, word := range all {
		bag[word]++
	}
	found, mine := 0, bagOf(got)
	for _, word := range mine {
		if bag[word] > 0 {
			bag[word]--
			found++
		}
	}
	if len(mine)+len(all) == 0 {
		return 1
	}
	return 2 * float64(found) / float64(len(mine)+len(all))
}

func bagOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

// ReportWordF1 holds what read gives of the files that pattern names against what
// another program writes of them to its output, and reports the mean and the lowest
// WordF1. It skips where there is no such program.
func ReportWordF1(b *testing.B, pattern string, read func(name string) string, program string, args ...string) {
	b.Helper()
	if _, err := exec.LookPath(program); err != nil {
		b.Skipf("no %s to compare with", program)
	}
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		b.Fatalf("no file is named %s: %v", pattern, err)
	}
	sum, lowest, compared := 0.0, 1.0, 0
	for _, name := range names {
		command := append([]string(nil), args...)
		for i := range command {
			command[i] = strings.ReplaceAll(command[i], "FILE", name)
		}
		want, err := exec.Command(program, command...).Output()
		if err != nil || len(want) < 200 {
			continue // it can't read it, or has nothing to compare
		}
		f1 := WordF1(read(name), string(want))
		b.Logf("%.4f %s", f1, name)
		sum, lowest, compared = sum+f1, min(lowest, f1), compared+1
	}
	b.ReportMetric(sum/float64(max(compared, 1)), "mean-F1")
	b.ReportMetric(lowest, "lowest-F1")
	b.ReportMetric(float64(compared), "files")
}

package config

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// FuzzParse holds what must be true of any bytes: no panic, faults that name a
// line of the file and show no secret, no acceptance of what is not TOML, and the
// same answer twice.
func FuzzParse(f *testing.F) {
	example, err := os.ReadFile(examplePath)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(example)
	cases, err := os.ReadFile("testdata/faults.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, c := range strings.Split(string(cases), "\n-- ") {
		_, data, _ := strings.Cut(c, " --\n")
		f.Add([]byte(data))
	}
	const secret = "b1946ac92492d2347c6235b4d2611184"
	getenv := func(name string) string {
		return map[string]string{"SITESYNC_API_KEY": secret, "TOKEN": secret + "\x00"}[name]
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("f", data, getenv)
		again, errAgain := Parse("f", data, getenv)
		if err == nil {
			var values map[string]any
			if wrong := toml.Unmarshal(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), &values); wrong != nil {
				t.Errorf("accepted what is not TOML: %v", wrong)
			}
			if errAgain != nil || c.Fingerprint() != again.Fingerprint() {
				t.Errorf("read twice, not the same twice: %v", errAgain)
			}
			return
		}
		if errAgain == nil || err.Error() != errAgain.Error() || strings.Contains(err.Error(), secret) {
			t.Errorf("faults differ or show a secret: %v\n%v", err, errAgain)
		}
		checkFaults(t, err, bytes.Count(data, []byte("\n"))+1)
	})
}

func checkFaults(t *testing.T, err error, lines int) {
	var faults *Faults
	if !errors.As(err, &faults) || len(faults.List) == 0 {
		t.Fatalf("an error without faults: %v", err)
	}
	last := 1
	for _, f := range faults.List {
		if f.Line < last || f.Line > lines || f.Text == "" || strings.ContainsAny(f.Key+f.Text, "\x1b\r\n\x00") {
			t.Errorf("fault %q in a file of %d lines, after line %d", f, lines, last)
		}
		last = f.Line
	}
}

package config

import (
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the wanted faults anew")

// environment is what tests see of the environment.
func environment(name string) string {
	return map[string]string{"HOST": "www.example.com", "TOKEN": "hunter2", "DELAY": "3s"}[name]
}

// TestFaults reads cases of the form "-- name --", configuration, "-- want --",
// faults.
func TestFaults(t *testing.T) {
	const golden = "testdata/faults.txt"
	data, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(data), "\n-- ")
	cases := strings.Split(rest, "\n-- ")
	if len(cases) < 120 || len(cases)%2 != 0 {
		t.Fatalf("%s holds %d parts, want at least 60 cases of two parts each", golden, len(cases))
	}
	var anew strings.Builder
	anew.WriteString(head)
	for i := 0; i < len(cases); i += 2 {
		name, input, _ := strings.Cut(cases[i], " --\n")
		_, want, _ := strings.Cut(strings.TrimSuffix(cases[i+1], "\n"), " --\n")
		t.Run(name, func(t *testing.T) {
			got := faultsOf(t, input)
			anew.WriteString("\n-- " + cases[i] + "\n-- want --\n" + got)
			if got != want && !*update {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
	if *update {
		if err := os.WriteFile(golden, []byte(anew.String()+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func faultsOf(t *testing.T, data string) string {
	t.Helper()
	_, err := Parse("sitesync.toml", []byte(data), environment)
	var faults *Faults
	if !errors.As(err, &faults) {
		t.Fatalf("parse returned %v, want faults", err)
	}
	for _, secret := range []string{"hunter2", "987654"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("a secret is shown: %v", err)
		}
	}
	return faults.Error()
}

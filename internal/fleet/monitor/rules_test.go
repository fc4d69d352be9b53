package monitor_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"

	"sitesync/internal/fleet/lease"
	"sitesync/internal/fleet/monitor"
)

// TestAlertRules holds the example of alert rules against what a worker really shows.
func TestAlertRules(t *testing.T) {
	raw, err := os.ReadFile("../../../deploy/prometheus/sitesync-fleet.rules.yml")
	must(t, err)
	var file struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	decoder := yaml.NewDecoder(strings.NewReader(string(raw)))
	decoder.KnownFields(true)
	must(t, decoder.Decode(&file))
	m := monitor.New(monitor.Options{Dir: t.TempDir(), Connected: func() bool { return true }})
	m.Ended(lease.Result{})
	_, metrics := get(t, m, "/metrics")
	names := regexp.MustCompile(`sitesync_\w+`)
	for _, group := range file.Groups {
		for _, rule := range group.Rules {
			if rule.Alert == "" || rule.Labels["severity"] == "" || rule.Annotations["summary"] == "" || rule.Annotations["action"] == "" {
				t.Errorf("the rule %+v lacks a name, severity, summary or action", rule)
			}
			if _, err := time.ParseDuration(rule.For); rule.For != "" && err != nil {
				t.Errorf("%s: %v", rule.Alert, err)
			}
			if strings.Count(rule.Expr, "(") != strings.Count(rule.Expr, ")") || !strings.ContainsAny(rule.Expr, "<>=") {
				t.Errorf("%s: %s is no condition", rule.Alert, rule.Expr)
			}
			used := names.FindAllString(rule.Expr, -1)
			if len(used) == 0 {
				t.Errorf("%s looks at no metric of ours", rule.Alert)
			}
			for _, name := range used {
				if !regexp.MustCompile(`(?m)^` + name + `[ {]`).MatchString(metrics) {
					t.Errorf("%s looks at %s, which no worker shows", rule.Alert, name)
				}
			}
		}
	}
}

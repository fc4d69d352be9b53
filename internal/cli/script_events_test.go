package cli_test

import (
	"encoding/json"
	"slices"

	"github.com/rogpeppe/go-internal/testscript"
)

// engine is whose events scripts look at.
const engine = 7

func recordedCommand(ts *testscript.TestScript, _ bool, args []string) {
	events, err := theWorld(ts).service.Events(customer, engine, args[0])
	ts.Check(err)
	var got []string
	for _, e := range events {
		raw, err := json.Marshal(e.Event)
		ts.Check(err)
		got = append(got, string(raw))
	}
	if !slices.Equal(got, args[1:]) {
		ts.Fatalf("the service holds the events %q, want %q", got, args[1:])
	}
}

package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"
)

// engine is whose events scripts look at.
const engine = 7

func recordedCommand(ts *testscript.TestScript, _ bool, args []string) {
	r, err := http.NewRequest(http.MethodGet, fmt.Sprintf("%s/_/events/%d/%d?kind=%s", ts.Getenv("SERVICE"), customer, engine, args[0]), nil)
	ts.Check(err)
	r.SetBasicAuth(strconv.Itoa(customer), apiKey)
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	var recorded []struct{ Event map[string]string }
	ts.Check(json.NewDecoder(answer.Body).Decode(&recorded))
	var got []string
	for _, e := range recorded {
		raw, err := json.Marshal(e.Event)
		ts.Check(err)
		got = append(got, string(raw))
	}
	if !slices.Equal(got, args[1:]) {
		ts.Fatalf("the service holds the events %q, want %q", got, args[1:])
	}
}

package cli_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"sitesync/internal/service"
	"sitesync/internal/testsite/strike"
)

// extendedCommand puts a service in the place of the script's that has the operations
// which the specification does not show as well.
func extendedCommand(ts *testscript.TestScript, _ bool, _ []string) {
	w := theWorld(ts)
	local, err := service.Open(service.Options{Path: filepath.Join(ts.Getenv("WORK"), ".extended.db"), CustomerID: customer, APIKey: apiKey, Extended: true})
	ts.Check(err)
	w.service, w.panel = local, strike.New(local)
	w.panel.Extended = true
	server := httptest.NewServer(w.panel)
	ts.Defer(func() { server.Close(); local.Close() })
	ts.Setenv("SERVICE", server.URL)
	w.config.set("push", "base_url", strconv.Quote(server.URL))
	ts.Check(w.config.write(ts.Getenv("WORK")))
}

// askCommand makes a call of the service by hand; its status and its answer are what
// stdout looks at.
func askCommand(ts *testscript.TestScript, _ bool, args []string) {
	r, err := http.NewRequest(args[0], ts.Getenv("SERVICE")+args[1], strings.NewReader(strings.Join(args[2:], " ")))
	ts.Check(err)
	r.SetBasicAuth(strconv.Itoa(customer), apiKey)
	r.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(r)
	ts.Check(err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	ts.Check(err)
	_, err = io.WriteString(ts.Stdout(), answer.Status+"\n"+string(body)+"\n")
	ts.Check(err)
}

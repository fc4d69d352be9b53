package service

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"sitesync/internal/service/conformance"
	"sitesync/internal/service/openapi"
	"sitesync/internal/service/web"
	"sitesync/internal/testsite/strike"
)

// TestContractHasEveryRoute: what the extended service serves and what the document
// lists are the same operations.
func TestContractHasEveryRoute(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(openapi.Document())
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`{\w+}`)
	var listed []string
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			listed = append(listed, method+" "+names.ReplaceAllString(path, "{}"))
		}
	}
	l := open(t, Options{Extended: true})
	served := []string{web.ContractPath}
	for _, r := range l.routes(time.Now) {
		served = append(served, names.ReplaceAllString(r.Pattern, "{}"))
	}
	for _, one := range listed {
		if !slices.Contains(served, one) {
			t.Errorf("%s is in the document and not served", one)
		}
	}
	for _, one := range served {
		if !slices.Contains(listed, one) {
			t.Errorf("%s is served and not in the document", one)
		}
	}
}

// TestContractHoldsFaults: what only a hosted service answers has the shapes of the
// document, too, and what has not is told.
func TestContractHoldsFaults(t *testing.T) {
	l := open(t, Options{})
	client := http.Client{Transport: conformance.NewContract(t)}
	panel := l.strike()
	failed := `{"failed":1,"reason":"locked"}`
	for name, test := range map[string]struct {
		fault  strike.Fault
		status int // 0: not as the document says
	}{
		"a delete fails":                    {strike.Fault{Status: 500, Body: &failed}, 500},
		"a delete fails with success":       {strike.Fault{Body: &failed}, 200},
		"server error":                      {strike.Fault{Status: 500}, 500},
		"unauthorized at another status":    {strike.Fault{Status: 418, Body: new(`{"message":"unauthorized"}`)}, 418},
		"busy":                              {strike.Fault{Status: 429}, 429},
		"success without its body":          {strike.Fault{Body: new("")}, 0},
		"success with the body of an error": {strike.Fault{Body: new(`{"message":"no"}`)}, 0},
	} {
		panel.Set(test.fault)
		resp, err := client.Do(l.request(http.MethodDelete, documents+"?documentId=a", ""))
		if (err != nil) != (test.status == 0) || err == nil && resp.StatusCode != test.status {
			t.Errorf("%s: got %v, %v", name, resp, err)
		}
		if err == nil {
			_ = resp.Body.Close()
		}
	}
}

// TestContractIsServed: to everyone, also where one customer alone is let in.
func TestContractIsServed(t *testing.T) {
	l := open(t, Options{CustomerID: testCustomer})
	got := l.as("", http.MethodGet, "/_/openapi.json", "")
	if got.status != http.StatusOK || got.body != string(openapi.Document()) || got.header.Get("Access-Control-Allow-Origin") != "*" ||
		!strings.HasPrefix(got.header.Get("Content-Type"), "application/json") {
		t.Errorf("got %d, %v, %d bytes", got.status, got.header, len(got.body))
	}
}

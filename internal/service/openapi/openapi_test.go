package openapi

import (
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// TestDocument: it is valid OpenAPI 3.1; each operation names its section, and where
// that gives no contract, says so.
func TestDocument(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(Document())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil || !doc.IsOpenAPI31OrLater() {
		t.Fatalf("version %s: %v", doc.OpenAPI, err)
	}
	ids := map[string]string{}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			section, _ := op.Extensions["x-section"].(string)
			if section == "" || op.Summary == "" || len(op.Tags) != 1 || op.Security == nil || ids[op.OperationID] != "" {
				t.Errorf("%s %s: summary %q, section %q, tags %v, operation ID %q (also of %s)", method, path, op.Summary, section, op.Tags, op.OperationID, ids[op.OperationID])
			}
			ids[op.OperationID] = path
			ours := op.Extensions["x-ours"] == true
			if (section == "ours" || strings.HasPrefix(path, "/_/")) && !ours {
				t.Errorf("%s %s is ours and not marked", method, path)
			}
			for status, response := range op.Responses.Map() {
				// What the specification shows: 200 and 2XX (success), 400 on search feedback, 500, and the shapes of section 7.
				shown := status == "200" || status == "2XX" || status == "500" || status == "default" || op.OperationID == "searchFeedback" && status == "400"
				if !shown && response.Value.Extensions["x-ours"] != true {
					t.Errorf("%s %s: status %s is ours and not marked", method, path, status)
				}
			}
		}
	}
}

package openapi

import _ "embed"

//go:embed openapi.json
var document string

// Document returns the OpenAPI document as JSON.
func Document() []byte { return []byte(document) }

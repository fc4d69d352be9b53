// Package jsoniter stands in place of json-iterator, which bleve reads shapes of maps with: a
// search by place that sitesync has not. json-iterator calls methods by name, so that the
// linker keeps every method of the program: docs/decisions/size.md.
package jsoniter

import "encoding/json"

// API reads and writes JSON.
type API struct{}

// ConfigCompatibleWithStandardLibrary reads and writes as package encoding/json does.
var ConfigCompatibleWithStandardLibrary API

// Marshal returns v as JSON.
func (API) Marshal(v any) ([]byte, error) { return json.Marshal(v) }

// Unmarshal reads JSON into v.
func (API) Unmarshal(data []byte, v any) error { return json.Unmarshal(data, v) }

package config

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

// node is a part of a JSON schema (draft 7, which editors read).
type node map[string]any

// TestSchema: the JSON schema by which editors complete a configuration is what the code says, with
// the words of config.example.toml. It knows every key of the examples. go generate writes it.
func TestSchema(t *testing.T) {
	s := newSchema(t)
	root := s.object("", reflect.TypeFor[Config]())
	root["$schema"], root["title"] = "http://json-schema.org/draft-07/schema#", "The configuration of sitesync"
	want := &bytes.Buffer{}
	out := json.NewEncoder(want)
	out.SetEscapeHTML(false)
	out.SetIndent("", " ")
	if err := out.Encode(root); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("sitesync.schema.json", want.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if want.String() != JSONSchema {
		t.Error("sitesync.schema.json is not what the code says: run go generate ./internal/config")
	}
	var read node
	if err := json.Unmarshal(want.Bytes(), &read); err != nil {
		t.Fatal(err)
	}
	for key := range s.examples {
		at := map[string]any(read)
		for name := range strings.SplitSeq(key, ".") {
			if items, is := at["items"].(map[string]any); is {
				at = items
			}
			properties, _ := at["properties"].(map[string]any)
			at, _ = properties[name].(map[string]any)
		}
		if at["description"] == nil {
			t.Errorf("the schema has no %s, or says nothing of it", key)
		}
	}
}

// object returns what a table may hold.
func (s *schema) object(section string, of reflect.Type) node {
	properties, required := node{}, []string{}
	for f := range of.Fields() {
		key, ok := f.Tag.Lookup("toml")
		name := strings.TrimPrefix(section+"."+key, ".")
		if !ok {
			continue
		}
		if s.required[name] {
			required = append(required, key)
		}
		properties[key] = s.property(name, f)
	}
	n := node{"type": "object", "additionalProperties": false, "properties": properties}
	if len(required) > 0 {
		n["required"] = required
	}
	return n
}

func (s *schema) property(name string, f reflect.StructField) node {
	text := node{"type": "string"}
	switch inner := f.Type; {
	case known(name, inner) != nil && inner.Kind() == reflect.Slice:
		return node{"type": "array", "items": s.object(name, inner.Elem())}
	case known(name, inner) != nil:
		return s.object(name, inner)
	}
	n := node{"description": s.words[name]}
	switch {
	case f.Type == reflect.TypeFor[Sitemaps]():
		n["anyOf"] = []node{{"enum": []string{"auto", "off"}}, {"type": "array", "items": text}}
	case f.Type == reflect.TypeFor[Duration](), f.Type == reflect.TypeFor[Size](), f.Type == reflect.TypeFor[Before](), f.Type == reflect.TypeFor[*time.Location]():
		n["type"] = "string"
	case f.Type.Kind() == reflect.Bool:
		n["type"] = "boolean"
	case f.Type.Kind() == reflect.Int:
		n["type"] = "integer"
		bound(n, "minimum", f.Tag.Get("min"))
		bound(n, "maximum", f.Tag.Get("max"))
	case f.Type.Kind() == reflect.Float64:
		n["type"], n["minimum"], n["maximum"] = "number", 0, 1
	case f.Type.Kind() == reflect.Slice:
		n["type"], n["items"] = "array", text
	case f.Type.Kind() == reflect.Map:
		n["type"], n["additionalProperties"] = "object", text
	case strings.Contains(f.Tag.Get("is"), "|"): // or what a variable of the environment says
		choices := strings.Split(strings.TrimSuffix(f.Tag.Get("is"), " or empty"), "|")
		n["anyOf"] = []node{{"enum": choices}, {"type": "string", "pattern": `^(\$\{.*\})?$`}}
	default:
		n["type"] = "string"
	}
	return n
}

func bound(n node, name, value string) {
	if number, err := strconv.Atoi(value); err == nil {
		n[name] = number
	}
}

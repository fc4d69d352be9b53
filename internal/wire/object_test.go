package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

func TestObjectKeepsEveryOtherByte(t *testing.T) {
	const raw = " {\"Id\": 7 , \"na\\u006de\":\"a\\/<b>\\u00e9\",\n\"audiences\" : [ {\"x\": 1.0, \"y\":1e5, \"id\":3} ],\"id\":8,\"big\":12345678901234567890,\"nil\":null}\n"
	o, err := ParseObject([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	before := string(o.Bytes())
	changed := o
	changed.Drop("ID")
	changed.Set("NAME", json.RawMessage(`"z"`))
	changed.Set("new", json.RawMessage(`[]`))
	want := `{"NAME":"z","audiences":[ {"x": 1.0, "y":1e5, "id":3} ],"big":12345678901234567890,"nil":null,"new":[]}`
	if got := string(changed.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string(o.Bytes()); got != before || !strings.Contains(got, `"na\u006de":"a\/<b>\u00e9"`) {
		t.Errorf("the object it was copied from is %s", got)
	}
	for key, want := range map[string]string{"Id": "7", "id": "8", "iD": "8", "name": `"a\/<b>\u00e9"`, "NIL": "null", "none": ""} {
		if got, ok := o.Get(key); string(got) != want || ok != (want != "") {
			t.Errorf("%s: %s, %t", key, got, ok)
		}
	}
	if got := string((Object{}).Bytes()); got != "{}" {
		t.Error(got)
	}
}

func TestParseObjectRefuses(t *testing.T) {
	for _, raw := range []string{"", "null", "[]", `"{}"`, "{", "{}{}", `{"a":1,}`, `{"a":01}`, "{\"a\":\"\xff\"}", `{a:1}`} {
		if _, err := ParseObject([]byte(raw)); err == nil {
			t.Errorf("%q was taken", raw)
		}
	}
}

// What is parsed and written again means the same, twice over; what is dropped is gone
// and nothing else is.
func FuzzParseObject(f *testing.F) {
	for _, raw := range []string{`{}`, ` {"a": 1.0, "A":[ {"b":"\u00e9"} ], "":null}`, `{"\ud800":{"a":1e5}}`, "{\"a\":\"\xff\"}", `[]`, `{"K":1,"\u212a":2,"k":3}`} {
		f.Add([]byte(raw), "a")
	}
	f.Fuzz(func(t *testing.T, raw []byte, key string) {
		o, err := ParseObject(raw)
		if err != nil {
			return
		}
		var want, got map[string]json.RawMessage
		again, err := ParseObject(o.Bytes())
		if err != nil || !bytes.Equal(again.Bytes(), o.Bytes()) {
			t.Fatalf("%s became %s, %v", raw, o.Bytes(), err)
		}
		_, _ = json.Unmarshal(raw, &want), json.Unmarshal(o.Bytes(), &got)
		if !reflect.DeepEqual(want, got) {
			t.Fatalf("%s became %s", raw, o.Bytes())
		}
		size := len(o.members)
		o.Set(key, json.RawMessage("1"))
		value, ok := o.Get(key)
		if !ok || string(value) != "1" || !json.Valid(o.Bytes()) || len(o.members) > size+1 {
			t.Fatalf("%q set: %s", key, o.Bytes())
		}
		o.Drop(key)
		if _, ok := o.Get(key); ok || !json.Valid(o.Bytes()) {
			t.Fatalf("%q dropped: %s", key, o.Bytes())
		}
	})
}

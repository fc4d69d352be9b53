package query

import (
	"encoding/json"
	"math"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// member is one key of a JSON object in a request, with its value.
type member struct {
	name  string
	path  string // path of the key in the request, for error messages
	value json.RawMessage
	loose bool // also accept the value formats that published client libraries send
}

func (m member) wrong(what string) error { return web.BadRequest("%.100s must be %s", m.path, what) }

type decoder func(member) error

// into decodes the value into target, which is a decoder or a pointer. A JSON null does not change *target.
func (m member) into(target any) error {
	if decode, is := target.(decoder); is {
		return decode(m)
	}
	if json.Unmarshal(m.value, target) == nil || m.loose && m.loosely(target) {
		return nil
	}
	what := "true or false"
	switch target.(type) {
	case *string:
		what = "a string"
	case *[]string:
		what = "an array of strings"
	case *int:
		what = "a whole number"
	}
	return m.wrong(what)
}

// loosely decodes a value of another JSON type into *to, and reports whether it could. It turns a string into
// a number or boolean, a number or boolean into a string, and a single value into a list.
func (m member) loosely(to any) bool {
	text, single := wire.Text(m.value)
	switch to := to.(type) {
	case *string:
		*to = text
		return single
	case *[]string:
		list := []json.RawMessage{m.value}
		_ = json.Unmarshal(m.value, &list) // if this fails, list still holds the single value
		*to = make([]string, len(list))
		for i, one := range list {
			if (*to)[i], single = wire.Text(one); !single {
				return false
			}
		}
		return true
	}
	return json.Unmarshal([]byte(strings.ToLower(text)), to) == nil
}

// choice returns a decoder for one of two words, in upper or lower case. The decoder sets *result to true for
// trueWord, and to false for falseWord or an empty string.
func choice(result *bool, falseWord, trueWord string) decoder {
	return func(m member) error {
		var text string
		bad := json.Unmarshal(m.value, &text)
		*result = strings.EqualFold(text, trueWord)
		if bad != nil || !*result && text != "" && !strings.EqualFold(text, falseWord) {
			return m.wrong(falseWord + " or " + trueWord)
		}
		return nil
	}
}

// each calls decode for every key of a JSON object, in order. If m.loose is true, it also accepts an array of
// keys. Published client libraries send such arrays; PHP clients send one for an empty object.
func (m member) each(expected string, decode decoder) error {
	var keys []string
	if m.loose && json.Unmarshal(m.value, &keys) == nil {
		for _, name := range keys {
			if err := decode(member{name, name, []byte("[]"), true}); err != nil {
				return err
			}
		}
		return nil
	}
	object, err := wire.ParseObject(m.value)
	if err != nil {
		return m.wrong(expected)
	}
	for name, value := range object.All() {
		if err := decode(member{name, strings.TrimPrefix(m.path+"."+name, "the body."), value, m.loose}); err != nil {
			return err
		}
	}
	return nil
}

// order returns a decoder of an object that maps fields to "asc" or "desc". The first field sorts first.
func order(all *[]search.Order) decoder {
	return func(m member) error {
		return m.each("an object of asc or desc by field", func(m member) error {
			*all = append(*all, search.Order{Field: m.name})
			return choice(&(*all)[len(*all)-1].Desc, "asc", "desc")(m)
		})
	}
}

func facets(all map[string][]string) decoder {
	return func(m member) error {
		return m.each("an object of arrays by field", func(m member) error {
			var values []string
			err := m.into(&values)
			all[m.name] = values
			return err
		})
	}
}

// filters returns a decoder of an object that maps fields to values. The keys "range" and "date" hold ranges.
func filters(all *[]search.Condition) decoder {
	return func(m member) error {
		return m.each("an object of arrays by field", func(m member) error {
			var values []string
			switch {
			case m.name == "range" || m.name == "date":
				return m.between(all)
			case m.loose && (string(m.value) == "[]" || string(m.value) == "null"): // both mean any value
				return nil
			}
			if err := m.into(&values); err != nil {
				return err
			}
			if len(values) == 0 {
				return m.wrong("an array with a value; leave it out to allow any")
			}
			*all = append(*all, search.HasValue(m.name, values))
			return nil
		})
	}
}

// between decodes a range: a field, its least and its largest value. An empty value is no limit, and two
// empty values make no condition.
func (m member) between(all *[]search.Condition) error {
	const what = `["FIELD", FROM, TO] with numbers, or with dates such as "2017-06-03"; one of both may be ""`
	field, ends := "", []float64{math.Inf(-1), math.Inf(1)}
	var parts []json.RawMessage
	bad := json.Unmarshal(m.value, &parts)
	if bad != nil || len(parts) != 3 || json.Unmarshal(parts[0], &field) != nil || field == "" {
		return m.wrong(what)
	}
	for i, part := range parts[1:] {
		text, _ := wire.Text(part)
		if text == "" || string(part) == "null" {
			continue
		}
		from, ok := store.ParseNumber(text)
		to := from
		if m.name == "date" {
			from, to, ok = store.ParseDates(text)
		}
		if !ok {
			return m.wrong(what)
		}
		ends[i] = []float64{from, to}[i]
	}
	if ends[0] > ends[1] {
		return web.BadRequest("%s begins after its end: the smaller one comes first", m.path)
	}
	if !math.IsInf(ends[0], -1) || !math.IsInf(ends[1], 1) {
		*all = append(*all, search.HasBetween(field, m.name == "date", ends[0], ends[1]))
	}
	return nil
}

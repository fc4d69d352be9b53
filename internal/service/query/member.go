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
	loose bool // also accept the value formats that public clients send
}

func (m member) wrong(what string) error { return web.BadRequest("%.100s must be %s", m.path, what) }

// choice is the destination of a string with two allowed values; yes sets *to.
type choice struct {
	to      *bool
	no, yes string
}

// into decodes the value into v. A JSON null leaves v unchanged.
func (m member) into(v any) error {
	what := ""
	switch v := v.(type) {
	case *search.Filters:
		return m.filters(v)
	case map[string][]string:
		return m.facets(v)
	case *[]search.Order:
		return m.order(v)
	case choice:
		return m.choose(v)
	case *string:
		what = "a string"
	case *[]string:
		what = "an array of strings"
	case *int:
		what = "a whole number"
	case *bool:
		what = "true or false"
	}
	if json.Unmarshal(m.value, v) != nil && (!m.loose || !m.loosely(v)) {
		return m.wrong(what)
	}
	return nil
}

// loosely decodes a value of the wrong JSON type: a quoted number or boolean, a number or boolean as a
// string, a single value as a list. It reports whether it succeeded.
func (m member) loosely(v any) bool {
	text, single := wire.Text(m.value)
	switch v := v.(type) {
	case *string:
		*v = text
		return single
	case *[]string:
		list := []json.RawMessage{m.value}
		_ = json.Unmarshal(m.value, &list) // if this fails, list still holds the single value
		*v = nil
		for _, one := range list {
			text, single := wire.Text(one)
			if !single {
				return false
			}
			*v = append(*v, text)
		}
		return true
	}
	return json.Unmarshal([]byte(strings.ToLower(text)), v) == nil
}

// choose decodes a choice, ignoring case. It returns an error for any other value.
func (m member) choose(c choice) error {
	var text string
	bad := json.Unmarshal(m.value, &text)
	*c.to = strings.EqualFold(text, c.yes)
	if bad != nil || !*c.to && text != "" && !strings.EqualFold(text, c.no) {
		return m.wrong(c.no + " or " + c.yes)
	}
	return nil
}

// members returns the keys of a JSON object in their order.
func (m member) members(what string) (all []member, err error) {
	if m.loose && string(m.value) == "[]" { // PHP writes an empty object like this
		return nil, nil
	}
	object, err := wire.ParseObject(m.value)
	if err != nil {
		return nil, m.wrong(what)
	}
	for name, value := range object.All() {
		all = append(all, member{name, strings.TrimPrefix(m.path+"."+name, "the body."), value, m.loose})
	}
	return all, nil
}

// order decodes an object that maps fields to asc or desc. The order of its keys is the order of sorting.
func (m member) order(all *[]search.Order) error {
	fields, err := m.members("an object of asc or desc by field")
	for _, f := range fields {
		one := search.Order{Field: f.name}
		if err := f.choose(choice{&one.Desc, "asc", "desc"}); err != nil {
			return err
		}
		*all = append(*all, one)
	}
	return err
}

// facets decodes an object that maps fields to values, or an array of fields.
func (m member) facets(all map[string][]string) error {
	if m.loose && m.value[0] == '[' {
		var names []string
		err := m.into(&names)
		for _, name := range names {
			all[name] = nil
		}
		return err
	}
	fields, err := m.members("an object of arrays by field")
	for _, f := range fields {
		var values []string
		if err := f.into(&values); err != nil {
			return err
		}
		all[f.name] = values
	}
	return err
}

// filters decodes an object that maps fields to values. The keys range and date hold ranges.
func (m member) filters(all *search.Filters) error {
	fields, err := m.members("an object of arrays by field")
	all.Values = map[string][]string{}
	for _, f := range fields {
		if f.name == "range" || f.name == "date" {
			err = f.ends(all)
		} else if !f.loose || string(f.value) != "[]" && string(f.value) != "null" { // these mean any value
			var values []string
			err = f.into(&values)
			if err == nil && len(values) == 0 {
				err = f.wrong("an array with a value; leave it out to allow any")
			}
			all.Values[f.name] = values
		}
		if err != nil {
			return err
		}
	}
	return err
}

// ends decodes a range: a field and its two ends, as numbers or strings. An empty end is open; if both are
// empty, there is no filter.
func (m member) ends(all *search.Filters) error {
	r := search.Range{Date: m.name == "date", Min: math.Inf(-1), Max: math.Inf(1)}
	const what = `["FIELD", FROM, TO] with numbers, or with dates such as "2017-06-03"; one of both may be ""`
	var parts []json.RawMessage
	bad := json.Unmarshal(m.value, &parts)
	if bad != nil || len(parts) != 3 || json.Unmarshal(parts[0], &r.Field) != nil || r.Field == "" {
		return m.wrong(what)
	}
	for i, end := range []*float64{&r.Min, &r.Max} {
		text, _ := wire.Text(parts[i+1])
		if text == "" || string(parts[i+1]) == "null" {
			continue
		}
		from, ok := store.ParseNumber(text)
		to := from
		if r.Date {
			from, to, ok = store.ParseDates(text)
		}
		if !ok {
			return m.wrong(what)
		}
		*end = []float64{from, to}[i]
	}
	if r.Min > r.Max {
		return web.BadRequest("%s begins after its end: the smaller one comes first", m.path)
	}
	if !math.IsInf(r.Min, -1) || !math.IsInf(r.Max, 1) {
		all.Ranges = append(all.Ranges, r)
	}
	return nil
}

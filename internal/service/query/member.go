package query

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"

	"sitesync/internal/service/search"
	"sitesync/internal/service/store"
	"sitesync/internal/service/web"
	"sitesync/internal/wire"
)

// member is a key of a JSON object.
type member struct {
	name  string
	path  string // to it, in messages
	value json.RawMessage
	loose bool // values are taken in the forms that public clients send, too
}

func (m member) wrong(what string) error { return web.BadRequest("%.100s must be %s", m.path, what) }

// into reads the value; of null it reads nothing.
func (m member) into(v any, what string) error {
	if json.Unmarshal(m.value, v) != nil && (!m.loose || !m.loosely(v)) {
		return m.wrong(what)
	}
	return nil
}

// loosely reads a value of another type: a number, or true or false, in quotes; any of them as a
// text; one text as a list. It reports whether it could.
func (m member) loosely(v any) bool {
	text, single := wire.Text(m.value)
	switch v := v.(type) {
	case *string:
		*v = text
		return single
	case *[]string:
		list := []json.RawMessage{m.value}
		_ = json.Unmarshal(m.value, &list) // of one alone, it stays the list
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

// choose reports whether the value is yes. It errs when it is neither that nor no; case
// makes no difference.
func (m member) choose(no, yes string) (bool, error) {
	var text string
	if json.Unmarshal(m.value, &text) != nil || text != "" && !strings.EqualFold(text, no) && !strings.EqualFold(text, yes) {
		return false, m.wrong(no + " or " + yes)
	}
	return strings.EqualFold(text, yes), nil
}

// members returns the keys of an object in their order.
func (m member) members(what string) (all []member, err error) {
	if m.loose && string(m.value) == "[]" { // an empty object, as PHP writes it
		return nil, nil
	}
	object, err := wire.ParseObject(m.value)
	if err != nil {
		return nil, m.wrong(what)
	}
	for name, value := range object.All() {
		one := member{name, strings.TrimPrefix(m.path+"."+name, "the body."), value, m.loose}
		if slices.ContainsFunc(all, func(have member) bool { return have.name == one.name }) {
			return nil, web.BadRequest("%.100s comes twice", one.path)
		}
		all = append(all, one)
	}
	return all, nil
}

// order reads an object of asc and desc by field, whose order is that of the fields.
func (m member) order() (all []search.Order, err error) {
	fields, err := m.members("an object of asc or desc by field")
	for _, f := range fields {
		desc, err := f.choose("asc", "desc")
		if err != nil {
			return nil, err
		}
		all = append(all, search.Order{Field: f.name, Desc: desc})
	}
	return all, err
}

// lists reads an object of texts by field, apart from the keys that other reads.
func (m member) lists(other func(member) (bool, error)) (map[string][]string, error) {
	fields, err := m.members("an object of arrays by field")
	all := map[string][]string{}
	for _, f := range fields {
		read, err := other(f)
		var values []string
		if err == nil && !read {
			err = f.into(&values, "an array of strings")
			all[f.name] = values
		}
		if err != nil {
			return nil, err
		}
	}
	return all, err
}

// facets reads an object of values by field, or a list of fields.
func (m member) facets() (map[string][]string, error) {
	var names []string
	if !m.loose || m.value[0] != '[' {
		return m.lists(func(member) (bool, error) { return false, nil })
	}
	all, err := map[string][]string{}, m.into(&names, "an object or an array of strings")
	for _, name := range names {
		all[name] = nil
	}
	return all, err
}

// filters reads an object of values by field, and of range and date.
func (m member) filters() (all search.Filters, err error) {
	all.Values, err = m.lists(func(f member) (bool, error) {
		if f.name != "range" && f.name != "date" {
			return false, nil
		}
		r, given, err := f.ends(f.name == "date")
		if given {
			all.Ranges = append(all.Ranges, r)
		}
		return true, err
	})
	if m.loose { // an empty list allows any value
		maps.DeleteFunc(all.Values, func(_ string, values []string) bool { return len(values) == 0 })
	}
	return all, err
}

// ends reads a range: its field, and its ends as numbers or texts, of which one may be
// empty; with both empty it is no filter.
func (m member) ends(date bool) (r search.Range, given bool, err error) {
	what, parts := `["FIELD", FROM, TO] with numbers, one of which may be ""`, []json.RawMessage{}
	if date {
		what = `["FIELD", "FROM", "TO"] with dates such as 2017-06-03, one of which may be ""`
	}
	if json.Unmarshal(m.value, &parts) != nil || len(parts) != 3 || json.Unmarshal(parts[0], &r.Field) != nil || r.Field == "" {
		return r, false, m.wrong(what)
	}
	r.Date, r.Min, r.Max = date, math.Inf(-1), math.Inf(1)
	for i, part := range parts[1:] {
		text := ""
		if strings.ContainsAny(string(part[:1]), "-0123456789") {
			text = string(part)
		} else if json.Unmarshal(part, &text) != nil {
			return r, false, m.wrong(what)
		}
		if text == "" {
			continue
		}
		from, ok := store.ParseNumber(text)
		to := from
		if date {
			from, to, ok = store.ParseDates(text)
		}
		if !ok {
			return r, false, m.wrong(what)
		}
		if given = true; i == 0 {
			r.Min = from
		} else {
			r.Max = to
		}
	}
	if r.Min > r.Max {
		err = web.BadRequest("%s begins after its end: the smaller one comes first", m.path)
	}
	return r, given, err
}

package query

import (
	"encoding/json"
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
}

func (m member) wrong(what string) error { return web.BadRequest("%.100s must be %s", m.path, what) }

// into reads the value; of null it reads nothing.
func (m member) into(v any, what string) error {
	if json.Unmarshal(m.value, v) != nil {
		return m.wrong(what)
	}
	return nil
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
	object, err := wire.ParseObject(m.value)
	if err != nil {
		return nil, m.wrong(what)
	}
	for name, value := range object.All() {
		one := member{name, strings.TrimPrefix(m.path+"."+name, "the body."), value}
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

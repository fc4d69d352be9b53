package config

import (
	"cmp"
	"errors"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"
)

// value stores n, a TOML value, in the field of at. It returns false if n is faulty or a variable is unset.
func (d *decoder) value(line int, at spot, n *unstable.Node) bool {
	if n.Raw.Length > 0 {
		line = d.lineAt(int(n.Raw.Offset))
	}
	maps, ok := at.Addr().Interface().(*Sitemaps)
	switch {
	case n.Kind == unstable.Array && ok:
		return d.sitemaps(line, at.name, maps, n)
	case n.Kind == unstable.Array && at.Kind() == reflect.Slice:
		return d.list(line, at, n)
	case n.Kind == unstable.InlineTable && at.isTable():
		for it := n.Children(); it.Next(); {
			d.set(at, it.Node())
		}
		return true
	}
	return d.scalar(line, at, n)
}

func (d *decoder) list(line int, at spot, n *unstable.Node) bool {
	all, whole := at, true
	all.Value = reflect.New(at.Type()).Elem()
	for it := n.Children(); it.Next(); {
		whole = d.value(line, all.grow(), it.Node()) && whole
	}
	if whole {
		at.Set(all.Value)
	}
	return whole
}

func (d *decoder) sitemaps(line int, name string, maps *Sitemaps, n *unstable.Node) bool {
	addresses := spot{Value: reflect.ValueOf(&maps.List).Elem(), tag: `is:"address"`, name: name}
	whole := d.list(line, addresses, n)
	if whole && len(maps.List) == 0 {
		d.fault(line, name, `must not be an empty list: write "off" to read no sitemaps`)
	}
	maps.Auto = !whole
	return whole
}

func (d *decoder) scalar(line int, at spot, n *unstable.Node) bool {
	_, secret := at.Interface().(Secret)
	plain := variable.ReplaceAllString(string(n.Data), "")
	if secret && plain != "" && (plain == string(n.Data) || wholly.MatchString(at.name)) {
		d.clearSecrets = append(d.clearSecrets, at.name)
	}
	s, ok := d.expand(line, at.name, string(n.Data))
	if !ok {
		return false
	}
	err := at.scan(n.Kind, s)
	if err == nil {
		err = at.check()
	}
	switch {
	case err == nil:
	case secret || strings.Contains(string(n.Data), "@"): // a URL may hold a password before the @
		d.fault(line, at.name, "the value %s", err)
	case n.Kind == unstable.String:
		d.fault(line, at.name, "%s %s", strconv.QuoteToGraphic(cut(string(n.Data))), err)
	default:
		d.fault(line, at.name, "%s %s", cmp.Or(cut(string(n.Data)), "the value"), err)
	}
	return err == nil
}

// wholly matches the names of secrets that must not hold clear text. Other secrets, such as a URL or a
// header, may have clear text beside an environment variable.
var wholly = regexp.MustCompile(`(api_key|password|secret)$`)

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*\})?`)

// expand replaces every ${NAME} in s by the environment variable NAME. ok is false if a variable is unset or
// empty, or if a reference is malformed.
func (d *decoder) expand(line int, name, s string) (expanded string, ok bool) {
	if d.getenv == nil {
		return s, true
	}
	malformed, unset := false, ""
	expanded = variable.ReplaceAllStringFunc(s, func(reference string) string {
		if reference == "${" {
			malformed = true
			return ""
		}
		value := d.getenv(reference[2 : len(reference)-1])
		if value == "" {
			unset = reference[2 : len(reference)-1]
		}
		return value
	})
	switch {
	case malformed:
		d.fault(line, name, `"${" begins the name of an environment variable, as in ${NAME}; `+
			`a value that holds "${" itself must come from one`)
	case unset != "":
		text := "needs the environment variable " + unset + ", which is unset or empty: set it and run again"
		d.pending = append(d.pending, d.note(line, name, text))
	}
	return expanded, !malformed && unset == ""
}

// scan stores s, a TOML value of the given kind, in the field of at. The error text follows s in messages.
func (at spot) scan(kind unstable.Kind, s string) (err error) {
	want, fits := "a text in quotes", kind == unstable.String
	switch into := at.Addr().Interface().(type) {
	case *string:
		*into = canonical(at.tag.Get("is"), s)
	case *Secret:
		*into = Secret(strings.TrimRight(s, "\r\n")) // an environment variable filled from a file may end in CR LF
	case *bool:
		want, fits = "true or false without quotes", kind == unstable.Bool
		*into = s == "true"
	case *int:
		want, fits = "a whole number without quotes", kind == unstable.Integer
		n, _ := strconv.ParseInt(s, 0, strconv.IntSize) // if s is too large, n is the largest int
		*into = int(n)
	case *float64:
		want = "a number between 0 and 1, such as 0.10 for 10 %"
		*into, err = strconv.ParseFloat(strings.ReplaceAll(s, "_", ""), 64)
		fits = (kind == unstable.Float || kind == unstable.Integer) && *into >= 0 && *into <= 1
	case *Duration:
		want = `a time such as "30s", "24h" or "7d"`
		*into, err = parseDuration(s)
	case *Size:
		want = `a size such as "25MB" or "1MiB"`
		*into, err = ParseSize(s)
	case *Before:
		want = `an age such as "2y" or "180d", or a day such as "2024/01/01"`
		*into, err = ParseBefore(s)
	case *Sitemaps:
		want = `"auto", "off" or a list of addresses`
		into.Auto, err = s == "auto", check("auto|off", s)
	case *time.Time:
		want = "a date and time with its zone, such as 2026-12-01T08:00:00+01:00"
		*into, err = time.Parse(time.RFC3339, strings.Replace(strings.ToUpper(s), " ", "T", 1))
		fits = fits || kind == unstable.DateTime
	case *Network:
		want = `a network such as "10.20.0.0/16", with zeros after its bits, or one address; ` +
			`either may name a port: "10.20.0.5:8443", "[fd12::5]:8443"`
		*into, err = parseNetwork(s)
	case **time.Location:
		want = `a time zone such as "Europe/Copenhagen" or "UTC"`
		*into, err = time.LoadLocation(s)
		fits = fits && s != "" && s != "Local" // "Local" depends on the machine, and so would the documents
	default:
		want, fits = at.shape(), false
	}
	if err != nil || !fits {
		return errors.New("must be " + want)
	}
	return nil
}

func (at spot) shape() string {
	switch t, name := at.Type(), shown(at.name); {
	case at.Kind() == reflect.Map:
		return `a table, such as { "X-Preview" = "${TOKEN}" }`
	case isSection(t) && !index.MatchString(at.name):
		return "one section, [" + name + "]"
	case isSection(t) || isSection(t.Elem()):
		return "a list of sections, [[" + name + "]]"
	}
	return `a list of texts, such as ["a", "b"]`
}

// Before is a calendar day: a date such as "2024/01/01", or an age such as "2y" or "180d" before today. The
// zero value means no day.
type Before struct {
	Years, Days int
	Fixed       time.Time // midnight UTC; zero if Years or Days is set
}

// DateLayout formats days, also in the index field Date (section 2.3 of the search service's specification).
const DateLayout = "2006/01/02"

// String returns the day as the configuration file writes it.
func (b Before) String() string {
	switch {
	case b.Years > 0:
		return strconv.Itoa(b.Years) + "y"
	case b.Days > 0:
		return strconv.Itoa(b.Days) + "d"
	}
	return b.Fixed.Format(DateLayout)
}

var ageForm = regexp.MustCompile(`^(?:([1-9][0-9]{0,2})y|([1-9][0-9]{0,4})d)$`)

// ParseBefore parses a day in the form of the configuration file. The only error is strconv.ErrSyntax.
func ParseBefore(s string) (b Before, err error) {
	if date, err := time.Parse(DateLayout, s); err == nil && !date.IsZero() {
		return Before{Fixed: date}, nil
	}
	age := ageForm.FindStringSubmatch(s)
	if age == nil {
		return b, strconv.ErrSyntax
	}
	b.Years, _ = strconv.Atoi(age[1]) // age[1] or age[2] is empty, and Atoi returns 0 for it
	b.Days, _ = strconv.Atoi(age[2])
	return b, nil
}

// Cutoff returns midnight UTC of the first day that is kept: a document with an earlier date is expired. An
// age counts back from today, the calendar day of now in zone (extract.timezone). If this leads to 29
// February in a year without that day, Cutoff returns 28 February, which deletes less.
func (b Before) Cutoff(now time.Time, zone *time.Location) time.Time {
	if b.Years == 0 && b.Days == 0 {
		return b.Fixed
	}
	year, month, dayOfMonth := now.In(zone).Date()
	cutoff := time.Date(year-b.Years, month, dayOfMonth-b.Days, 0, 0, 0, 0, time.UTC)
	if b.Years > 0 && cutoff.Month() != month {
		return cutoff.AddDate(0, 0, -1)
	}
	return cutoff
}

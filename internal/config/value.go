package config

import (
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// scalar reads one value that holds no others.
func (d *decoder) scalar(at spot, v any) bool {
	line, written := d.line(at.name), ""
	text, isText := v.(string)
	if isText {
		expanded, ok := d.expand(line, at.name, text)
		if !ok {
			return false
		}
		v = expanded
	} else {
		written = spelling(v)
	}
	err := at.scan(v)
	if err == nil {
		err = at.check()
	}
	_, secret := at.Interface().(Secret)
	switch {
	case err == nil:
		if secret && text != "" && !variable.MatchString(text) {
			d.literal = shown(at.name)
		}
	case secret || strings.Contains(text, "@"): // which may stand behind a password
		d.fault(line, at.name, "the value %s", err)
	case isText:
		d.fault(line, at.name, "%s %s", strconv.QuoteToGraphic(cut(text)), err)
	default:
		d.fault(line, at.name, "%s", strings.TrimSpace(cut(written)+" "+err.Error()))
	}
	return err == nil
}

// spelling returns a value that is no text as a message shows it; of tables and lists
// nothing.
func spelling(v any) string {
	switch v.(type) {
	case map[string]any:
		return ""
	case []any:
		return ""
	}
	return strings.ToLower(fmt.Sprint(v))
}

var variable = regexp.MustCompile(`\$\{([A-Za-z_][A-Za-z0-9_]*\})?`)

// expand replaces every ${NAME} in s from the environment; what a variable holds
// is taken as it is. ok is false when a variable is unset or empty (the key is
// pending then) or its name is malformed.
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
		d.fault(line, name, `"${" begins the name of an environment variable, as in ${NAME}; a value that holds "${" itself must come from one`)
	case unset != "":
		d.pending = append(d.pending, d.note(line, name, "needs the environment variable "+unset+", which is unset or empty: set it and run again"))
	}
	return expanded, !malformed && unset == ""
}

// scan reads a value. Its error, like those of check, reads on after the value:
// "must be …".
func (at spot) scan(v any) (err error) {
	s, fits := v.(string)
	want := "a text in quotes"
	switch into := at.Addr().Interface().(type) {
	case *string:
		*into = s
	case *Secret:
		*into = Secret(strings.TrimRight(s, "\r\n")) // what "export KEY=..." from a file may leave
	case *bool:
		want = "true or false without quotes"
		*into, fits = v.(bool)
	case *int:
		want = "a whole number without quotes"
		n, whole := v.(int64)
		*into, fits = int(n), whole
	case *float64:
		want = "a number between 0 and 1, such as 0.10 for 10 %"
		*into, fits = v.(float64)
		if n, whole := v.(int64); whole {
			*into, fits = float64(n), true
		}
		fits = fits && *into >= 0 && *into <= 1
	case *Duration:
		want = `a time such as "30s", "24h" or "7d"`
		*into, err = parseDuration(s)
	case *Size:
		want = `a size such as "25MB" or "1MiB"`
		*into, err = parseSize(s)
	case *Before:
		want = `an age such as "2y" or "180d", or a day such as "2024/01/01"`
		*into, err = parseBefore(s)
	case *Sitemaps:
		want = `"auto", "off" or a list of addresses`
		into.Auto, err = s == "auto", check("auto|off", s)
	case *time.Time:
		want = "a date and time with its zone, such as 2026-12-01T08:00:00+01:00"
		if fits {
			*into, err = time.Parse(time.RFC3339, s)
		} else {
			*into, fits = v.(time.Time)
		}
	case *netip.Prefix:
		want = `a network such as "10.20.0.0/16", with zeros after its bits, or one address`
		*into, err = parseNetwork(s)
	case **time.Location:
		want = `a time zone such as "Europe/Copenhagen" or "UTC"`
		*into, err = parseZone(s)
	default:
		want, fits = at.shape(), false
	}
	if err != nil || !fits {
		return errors.New("must be " + want)
	}
	return nil
}

// shape names what holds keys or values.
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

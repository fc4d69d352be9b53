package service

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"sitesync/internal/wire"
)

// A rule checks one value of a search tool as it was sent, null where it was not, and
// returns it as it is stored: nil leaves it out. What is wrong is told under the value's
// path, section 7.
type rule func(path string, sent json.RawMessage, faults wire.FieldErrors) json.RawMessage

func isNull(sent json.RawMessage) bool { return string(sent) == "null" }

// wrong tells what is wrong at a path, and stores nothing.
func wrong(faults wire.FieldErrors, path, format string, args ...any) json.RawMessage {
	faults[path] = append(faults[path], fmt.Sprintf(format, args...))
	return nil
}

// missing tells of a value that is required.
func missing(faults wire.FieldErrors, path string) json.RawMessage {
	return wrong(faults, path, "this field is required")
}

// optional returns the rule that a value, where there is one, is a T.
func optional[T any](what string) rule {
	return func(path string, sent json.RawMessage, faults wire.FieldErrors) json.RawMessage {
		switch {
		case isNull(sent):
			return nil
		case json.Unmarshal(sent, new(T)) != nil:
			return wrong(faults, path, "must be %s", what)
		}
		return sent
	}
}

// needed returns the rule that there is a value, which keeps to another.
func needed(r rule) rule {
	return func(path string, sent json.RawMessage, faults wire.FieldErrors) json.RawMessage {
		if isNull(sent) {
			return missing(faults, path)
		}
		return r(path, sent, faults)
	}
}

// orElse returns the rule that a value, taken to be another where there is none, keeps
// to.
func orElse(value string, r rule) rule {
	return func(path string, sent json.RawMessage, faults wire.FieldErrors) json.RawMessage {
		if isNull(sent) {
			sent = json.RawMessage(value)
		}
		return r(path, sent, faults)
	}
}

// filledText is the rule for a string that must not be blank.
func filledText(path string, sent json.RawMessage, faults wire.FieldErrors) json.RawMessage {
	var text string
	if json.Unmarshal(sent, &text) == nil && strings.TrimSpace(text) == "" { // null as well
		return missing(faults, path)
	}
	return optional[string]("a string")(path, sent, faults)
}

// atLeast returns the rule for an integer, where there is one.
func atLeast(least int64) rule {
	return func(path string, sent json.RawMessage, faults wire.FieldErrors) json.RawMessage {
		n := least // which null leaves
		if json.Unmarshal(sent, &n) != nil || n < least {
			return wrong(faults, path, "must be an integer, %d or more", least)
		}
		return optional[int64]("an integer")(path, sent, faults)
	}
}

// instant is the rule for a date-time, where there is one; it is stored in UTC.
func instant(path string, sent json.RawMessage, faults wire.FieldErrors) json.RawMessage {
	var at time.Time
	err := json.Unmarshal(sent, &at)
	utc, errUTC := json.Marshal(at.UTC()) // which may lie in a year that has no form
	switch {
	case isNull(sent):
		return nil
	case err != nil || errUTC != nil:
		return wrong(faults, path, "must be a date-time of RFC 3339")
	}
	return utc
}

// opaque is the rule for an array or null, kept byte for byte.
func opaque(path string, sent json.RawMessage, faults wire.FieldErrors) json.RawMessage {
	if isNull(sent) {
		return sent
	}
	return optional[[]json.RawMessage]("an array or null")(path, sent, faults)
}

// ofAnswers is the rule for what only answers hold.
func ofAnswers(string, json.RawMessage, wire.FieldErrors) json.RawMessage { return nil }

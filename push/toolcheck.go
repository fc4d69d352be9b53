package push

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"sitesync/internal/wire"
)

// checkTool returns what a service would, or should, turn down, by field path as
// section 7 has it.
func checkTool(kind wire.Kind, engine int64, tool wire.Object) wire.FieldErrors {
	faults := wire.FieldErrors{}
	note := func(path, text string) {
		if text != "" {
			faults[path] = append(faults[path], text)
		}
	}
	switch kind {
	case wire.KindRanking:
		note("WebsiteId", engineFault(tool, engine))
		checkPages(tool, engine, note)
	case wire.KindQuicklink:
		note("websiteid", engineFault(tool, engine))
	case wire.KindBanner:
		note("websiteid", engineFault(tool, engine))
		checkWindow(tool, note)
	case wire.KindSynonyms:
	default:
		note("kind", fmt.Sprintf("%q is no kind of search tool", kind))
	}
	return faults
}

// engineFault holds for each object that may name the engine, which is called one
// thing here and another there (sections 2.4 to 2.6).
func engineFault(o wire.Object, engine int64) string {
	value, given := o.Get("WebsiteId")
	number, _ := get[json.Number](value)
	if named, err := number.Int64(); engine == 0 || !given || string(value) == "null" || err == nil && named == engine {
		return ""
	}
	return fmt.Sprintf("it is not engine %d, which push.engine_id names", engine)
}

// checkPages checks the entries of a ranking's pages: a missing url is an error of
// section 7.
func checkPages(ranking wire.Object, engine int64, note func(path, text string)) {
	value, _ := ranking.Get("pages")
	entries, _ := get[[]json.RawMessage](value)
	for i, raw := range entries {
		path := fmt.Sprintf("pages[%d]", i)
		entry, _ := wire.ParseObject(raw)
		raw, _ := entry.Get("page")
		page, _ := wire.ParseObject(raw)
		note(path+".websiteid", engineFault(entry, engine))
		note(path+".page.websiteid", engineFault(page, engine))
		if address, _ := page.Get("pageurl"); strings.TrimSpace(textOf(address)) == "" {
			note(path+".page.pageurl", "it is required")
		}
	}
}

// checkWindow checks a banner's display window: each side an RFC 3339 date-time, null
// or absent.
func checkWindow(banner wire.Object, note func(path, text string)) {
	var window [2]time.Time
	for i, key := range []string{"from", "to"} {
		value, given := banner.Get(key)
		if !given || string(value) == "null" {
			continue
		}
		at, err := time.Parse(time.RFC3339, textOf(value))
		if err != nil {
			note(key, "it is no date-time of RFC 3339, such as 2026-01-31T00:00:00Z")
		}
		window[i] = at
	}
	if from, to := window[0], window[1]; !from.IsZero() && !to.IsZero() && !from.Before(to) {
		note("to", "it is not after from: the banner would never be shown")
	}
}

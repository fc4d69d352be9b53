package page

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const longestRefresh = 10 // in seconds; with a longer delay, the page is meant to be read

// refreshPattern parses the value of a meta refresh or a Refresh header (HTML standard, "shared declarative
// refresh steps"). Group 1 holds the seconds. One of the groups 2 to 4 holds the address. The address is
// empty if the page only reloads itself.
var refreshPattern = regexp.MustCompile(`(?s)^[\t\n\f\r ]*(\d+|\.)[\d.]*(?:$|[\t\n\f\r ]*[\t\n\f\r ;,][\t\n\f\r ]*)` +
	`(?:(?i:url)[\t\n\f\r ]*=[\t\n\f\r ]*)?(?:"([^"]*)|'([^']*)|(.*))`)

func metaRefresh(n *html.Node) []string {
	if n.DataAtom != atom.Meta || !strings.EqualFold(strings.TrimSpace(Attr(n, "http-equiv")), "refresh") {
		return nil
	}
	return refreshPattern.FindStringSubmatch(Attr(n, "content"))
}

func refreshTarget(match []string) string { return strings.Join(match[2:], "") }

// scriptNames reports whether a script of the page seems to redirect to address: the script holds "location"
// and the address in quotes. Only then does a refresh in a noscript element count, because browsers that run
// scripts ignore it.
func scriptNames(root *html.Node, address string) bool {
	for n := root; n != nil; n = Next(root, n) {
		if code := n.FirstChild; n.DataAtom == atom.Script && code != nil && strings.Contains(code.Data, "location") &&
			(strings.Contains(code.Data, `"`+address+`"`) || strings.Contains(code.Data, "'"+address+"'")) {
			return true
		}
	}
	return false
}

// leadOn stores the target and the delay of a refresh in l, if the delay is at most longestRefresh. match is
// the result of refreshPattern; it may be nil.
func (l *Links) leadOn(pageURL string, match []string, resolve func(href string) (string, error)) {
	if match == nil || refreshTarget(match) == "" {
		return
	}
	after, _ := strconv.ParseUint(match[1], 10, 16) // "." gives 0; too large a number gives the largest value
	target, err := resolve(refreshTarget(match))
	if err == nil && target != pageURL && after <= longestRefresh {
		l.Refresh, l.After = target, after
	}
}

// untilPattern finds unavailable_after with a date as search engines accept it: RFC 822, RFC 850 or ISO
// 8601. An optional time and zone follow the date.
var untilPattern = regexp.MustCompile(`(?i)\bunavailable_after ?: ?(?:[a-z]+,? )?` +
	`(\d{4}-\d\d?-\d\d?|\d\d?[ -][a-z]+[ -]\d{2,4}|[a-z]+ \d\d?,? \d{4})` +
	`(?:(?:T|,? )(\d\d?:\d\d)(?::\d\d)?(?:[.,]\d+)? ?([a-z]+|[+-]\d\d:?\d\d)?)?`)

var untilDays = []string{
	"2006-1-2", "2 Jan 2006", "2 Jan 06", "2 January 2006", "2 January 06", "Jan 2 2006", "January 2 2006",
}

// untilZones are the zones of RFC 822 and of Europe, in hours from UTC. time.Parse treats their names as UTC.
var untilZones = map[string]int{
	"EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
	"BST": 1, "WEST": 1, "CET": 1, "CEST": 2, "EET": 2, "EEST": 3,
}

// unavailableAfter returns the time that the directive unavailable_after in list names. Without such a
// directive, or with a date that can't be parsed, it returns the zero time. A date without a time means the
// end of that day. A time without a known zone is in UTC.
func unavailableAfter(list string) time.Time {
	match := untilPattern.FindStringSubmatch(strings.Join(strings.Fields(list), " "))
	if match == nil {
		return time.Time{}
	}
	day, clock, zone := match[1], match[2], strings.ToUpper(match[3])
	if day[4] != '-' {
		day = strings.NewReplacer("-", " ", ",", "").Replace(day)
	}
	for _, layout := range untilDays {
		at, err := time.Parse(layout, day)
		if err != nil {
			continue
		}
		if clock == "" {
			return at.AddDate(0, 0, 1)
		}
		since := 24 * time.Hour
		if of, err := time.Parse("15:04", clock); err == nil {
			since = time.Duration(of.Hour())*time.Hour + time.Duration(of.Minute())*time.Minute
		}
		seconds := untilZones[zone] * 60 * 60
		if in, err := time.Parse("-0700", strings.ReplaceAll(zone, ":", "")); err == nil {
			_, seconds = in.Zone()
		}
		return at.Add(since - time.Duration(seconds)*time.Second)
	}
	return time.Time{}
}

package field

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"sitesync/extract/markup"
	"sitesync/extract/rule"
)

const (
	maxUnder      = 1500 // maximum bytes of text from the title heading to a date that is marked as one
	maxClose      = 300  // maximum bytes from the title to any other date, or from a teaser to its date
	leastSubtitle = 40   // minimum bytes of a subtitle; a shorter heading begins another part of the page
)

// sign is the kind of words that mark a date: a label before it, or the class or ID of an element around it.
type sign int

const (
	signNone sign = iota
	signChanged
	signDate // words that mark any date, or a time element
	signPublished
)

// byline returns the page's date from its text: a date under the title heading, or else one above it, or else
// a date of change under the heading, or else the only date marked as published. Without a title heading,
// byline returns the first of at most two dates. An event's page gives "": its dates are the event's.
func (v *Evidence) byline() string {
	if v.linked.event {
		return ""
	}
	var above, changed string
	var loose, published []string
	title := v.titleHeading()
	// isUnder reports whether a date belongs to the title heading above it, not to a teaser or another part.
	isUnder := func(at int, s sign) bool {
		from := at - title.At - len(title.Text)
		isNear := from <= maxClose || s >= signDate && from <= maxUnder
		return isNear && !v.hasHeading(title.At+1, at, s == signPublished) && !v.hasHeading(at, at+maxClose, true)
	}
	for i := range v.Found.Dates {
		d := &v.Found.Dates[i]
		day, s := v.sign(d)
		if day == "" {
			continue
		}
		if s == signPublished && !slices.Contains(published, day) {
			published = append(published, day)
		}
		switch {
		case title == nil:
			isAlone := v.Found.Articles <= 1 && !v.hasHeading(d.At-maxClose, d.At+maxClose, true)
			if isAlone && s >= signDate && d.Block >= 0 && !slices.Contains(loose, day) {
				loose = append(loose, day)
			}
		case d.At <= title.At:
			if d.Block >= 0 && s >= signDate && title.At-d.At <= maxClose && !v.hasHeading(d.At, title.At, true) {
				above = day
			}
		case !isUnder(d.At, s):
		case s == signChanged:
			changed = cmp.Or(changed, day)
		default:
			return day
		}
	}
	return cmp.Or(above, changed, firstOf(published, 1), firstOf(loose, 2))
}

func firstOf(days []string, most int) string {
	if len(days) == 0 || len(days) > most {
		return ""
	}
	return days[0]
}

// hasHeading reports whether a heading with a link, such as a teaser's, begins in a range of the page's text.
// from and to are the range in bytes. Unless onlyLinked is set, a short heading without a link counts too.
func (v *Evidence) hasHeading(from, to int, onlyLinked bool) bool {
	return slices.ContainsFunc(v.Found.Heads, func(h markup.Head) bool {
		return from <= h.At && h.At < to && (h.Linked || !onlyLinked && len(h.Text) < leastSubtitle)
	})
}

// titleHeading returns the heading with the text of the page's title, or else the page's h1, or nil.
func (v *Evidence) titleHeading() *markup.Head {
	i := slices.IndexFunc(v.Found.Heads, func(h markup.Head) bool {
		return (isH1(h) || h.Own && !h.Linked) && len(v.titles) > 0 && strings.EqualFold(h.Text, v.titles[0])
	})
	if i < 0 {
		i = slices.IndexFunc(v.Found.Heads, isOwnH1)
	}
	if i < 0 {
		return nil
	}
	return &v.Found.Heads[i]
}

// sign returns the day that d gives, and the kind of words that mark it. If d is text in a long block, it
// gives a day only if the class or ID of its element marks it as a date.
func (v *Evidence) sign(d *markup.Date) (day string, s sign) {
	n, own := d.Node, markup.TextOf(d.Node, maxWritten)
	label, _, isShort := strings.Cut(d.Text, own)
	isShort = isShort && d.Text != ""
	if n.Type == html.ElementNode {
		if isShort {
			day, s = v.dayOf(n), signDate
		}
	} else if isShort || signOf(markup.Names(n.Parent)) >= signDate {
		var before string
		day, before = rule.Written(own, v.Found.Lang)
		label += before
	}
	if v.past(day) < firstGuessed || isOthers(n, true) || markup.HoldsAny(label, "for") {
		return "", signNone
	}
	said := signOf(label)
	for p, i := n, 0; p != nil && i < 4 && said != signPublished && said != signChanged; p, i = p.Parent, i+1 {
		said = max(said, signOf(markup.Names(p)))
	}
	if said != signNone {
		s = said
	}
	return day, s
}

func signOf(s string) sign {
	switch {
	case s == "":
		return signNone
	case markup.HoldsAny(s, "published"):
		return signPublished
	case markup.HoldsAny(s, "changed"):
		return signChanged
	case markup.HoldsAny(s, "dated"):
		return signDate
	}
	return signNone
}

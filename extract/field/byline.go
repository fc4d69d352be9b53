package field

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"sitesync/extract/markup"
	"sitesync/extract/rule"
)

// Bounds, mostly in bytes of text, on where a page names its own day.
const (
	maxUnder      = 1500 // from its heading on
	maxClose      = 300  // the same of a day that nothing vouches for; above the heading; between two teasers
	leastSubtitle = 40   // a heading under the page's own that divides nothing
)

// sign is what vouches for a day, in the words of its names and of its label.
type sign int

const (
	signNone sign = iota
	signChanged
	signDate
	signPublished
)

// byline returns the day that stands where a page names its own: under the heading that is
// its title, or above it; on a page without one, alone in its content; else the only day that
// is called that of publication. An event has none of its own.
func (v *Evidence) byline() string {
	if v.linked.event {
		return ""
	}
	var above, changed string
	var loose, published []string
	title := v.titleHeading()
	// isUnder reports whether a day stands near enough under the page's heading, and is not
	// that of another part or of a teaser.
	isUnder := func(at int, s sign) bool {
		from := at - title.At - len(title.Text)
		return (from <= maxClose || s >= signDate && from <= maxUnder) && !v.isLed(title.At+1, at, s == signPublished) && !v.isLed(at, at+maxClose, true)
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
			if s >= signDate && d.Block >= 0 && v.Found.Articles <= 1 && !v.isLed(d.At-maxClose, d.At+maxClose, true) && !slices.Contains(loose, day) {
				loose = append(loose, day)
			}
		case d.At <= title.At:
			if d.Block >= 0 && s >= signDate && title.At-d.At <= maxClose && !v.isLed(d.At, title.At, true) {
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

// firstOf returns the first of at most so many days: more are those of other things.
func firstOf(days []string, most int) string {
	if len(days) == 0 || len(days) > most {
		return ""
	}
	return days[0]
}

// isLed reports whether a heading stands in a part of the text: one that is linked, as
// those of teasers are, or any that divides the text.
func (v *Evidence) isLed(from, to int, linked bool) bool {
	return slices.ContainsFunc(v.Found.Heads, func(h markup.Head) bool {
		return from <= h.At && h.At < to && (h.Linked || !linked && len(h.Text) < leastSubtitle)
	})
}

// titleHeading returns the heading that is the page's title, else the first h1 of its own;
// nil where there is none.
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

// sign returns the day that an element or a text gives, and what vouches for it. Where its
// block is long, its own name must say that it is a date.
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

// signOf returns what the names or the label of a day say.
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

package judge

import (
	"cmp"
	"strings"

	"sitesync/internal/document"
)

// maxHops is the greatest number of redirects in a chain. RFC 9309 asks for at least 5; browsers follow 20.
const maxHops = 10

// TargetState says what was found at the end of a redirect or of a canonical URL.
type TargetState string

const (
	TargetNone    TargetState = ""
	TargetLive    TargetState = "live"         // read or unchanged, and the page names no other canonical
	TargetUnread  TargetState = "unread"       // the body of the page did not arrive
	TargetDead    TargetState = "not there"    // 404, 410 or the host's page for missing URLs
	TargetForeign TargetState = "out of scope" // on a foreign host, or excluded by settings or robots.txt
	TargetLoop    TargetState = "a loop or over 10 steps long"
	TargetHidden  TargetState = "not to be indexed"
	TargetVia     TargetState = "a redirect" // a canonical leads to a redirect
)

// Target is the end of a chain of redirects and canonicals that begins at a page, the source.
type Target struct {
	URL       string
	State     TargetState
	Hops      int
	Sole      bool           // no other document redirects to the target
	Temporary bool           // at least one step is a temporary redirect
	Ours      bool           // the target's host is crawled
	Alike     bool           // the target has at least half of the source's text blocks, or the same content
	Titled    bool           // the target has the title of the source's document, and is younger
	Folds     int            // number of documents that now redirect to the target or name it as canonical
	Chain     string         // the steps after the first, in words
	Print     document.Print // similarity hash of the target's text; set if a redirect ends at a live page
}

// Node holds what the function Resolve must know of one URL.
type Node struct {
	Seen      document.Seen // empty: not looked at in this run
	Status    int
	Target    string
	Canonical string
}

// Resolve follows redirects and canonicals to their end. The first step leads from the page with URL "from"
// to the URL "first". look describes a URL. If a redirect leads to a page whose canonical can't be used,
// that page is the end. Resolve errs only if look errs.
func Resolve(from, first string, look func(url string) (Node, error)) (Target, error) {
	node, err := look(from)
	if err != nil {
		return Target{}, err
	}
	t, canonical := Target{URL: first}, node.there()
	var redirectEnd *Target
	for t.State == TargetNone {
		if t.Hops == maxHops {
			t.State = TargetLoop
			break
		}
		t.Hops++
		switch t.URL {
		case "":
			t.URL, t.State = first, TargetForeign
			continue
		case from:
			t.State = TargetLoop
			continue
		}
		node, err := look(t.URL)
		switch {
		case err != nil:
			return t, err
		case node.redirects() && canonical:
			t.State = TargetVia
		case node.redirects():
			t.Temporary = t.Temporary || node.Seen == document.Elsewhere
			t.advance(redirectBy(node.Status)+" to", node.Target)
		case !node.there() || node.Canonical == "":
			t.State = cmp.Or(finals[node.Seen], TargetUnread)
		default:
			if !canonical {
				redirectEnd, canonical = new(t), true
				redirectEnd.State = TargetLive
			}
			t.advance("folded into", node.Canonical)
		}
	}
	if redirectEnd != nil && t.State != TargetLive && t.State != TargetUnread {
		return *redirectEnd, nil
	}
	return t, nil
}

func (n Node) there() bool { return n.Seen == document.Read || n.Seen == document.Kept }

func (n Node) redirects() bool { return n.Seen == document.Moved || n.Seen == document.Elsewhere }

func (t *Target) advance(how, url string) {
	t.URL = url
	if url != "" {
		t.Chain = strings.TrimPrefix(t.Chain+", "+how+" "+url, ", ")
	}
}

var finals = map[document.Seen]TargetState{
	document.Read: TargetLive, document.Kept: TargetLive, document.NoIndex: TargetHidden,
	document.Gone: TargetDead, document.Missing: TargetDead,
	document.OutOfScope: TargetForeign, document.Disallowed: TargetForeign, document.LeftOut: TargetForeign,
	document.OtherHost: TargetForeign,
}

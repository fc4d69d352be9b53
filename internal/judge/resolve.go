package judge

import (
	"cmp"
	"strings"

	"sitesync/internal/document"
)

// maxHops is how far redirects and canonicals are followed (RFC 9309 and browsers
// stop at 5 to 20).
const maxHops = 10

// TargetState says what stands where a redirect or a canonical leads.
type TargetState string

// The states of a target.
const (
	TargetNone    TargetState = ""             // there is none
	TargetLive    TargetState = "live"         // read or kept, and not folded itself
	TargetUnread  TargetState = "unread"       // its body did not arrive
	TargetDead    TargetState = "not there"    // 404, 410
	TargetForeign TargetState = "out of scope" // elsewhere, excluded or disallowed
	TargetLoop    TargetState = "a loop or over 10 steps long"
	TargetHidden  TargetState = "not to be indexed"
	TargetVia     TargetState = "a redirect" // where a canonical leads
)

// Target is the end of a chain of redirects and canonicals.
type Target struct {
	URL       string
	State     TargetState
	Hops      int
	Sole      bool           // no other document redirects there
	Temporary bool           // a temporary redirect leads there
	Ours      bool           // its host is crawled
	Alike     bool           // it has at least half of the text blocks, or the very content
	Titled    bool           // it has the same title, and is younger than the document that leads there
	Folds     int            // known documents that redirect or fold into it tonight
	Chain     string         // the steps behind the first, in words
	Print     document.Print // of a live page that a redirect leads to
}

// Node is what Resolve must know of one URL on the way.
type Node struct {
	Seen      document.Seen // empty: not looked at
	Status    int
	Target    string // of a redirect
	Canonical string // of a page that is there
}

// Resolve follows redirects and canonicals from first, which the page at from leads to, to their
// end. look tells what is known of a URL. A redirect ends at a page, or at the canonical of that
// page if it is no mistake. A canonical must not lead to a redirect. Resolve errs when look does.
func Resolve(from, first string, look func(url string) (Node, error)) (Target, error) {
	node, err := look(from)
	if err != nil {
		return Target{}, err
	}
	t, canonical := Target{URL: first}, node.there()
	var page *Target // where the redirects ended
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
				page, canonical = new(t), true
				page.State = TargetLive
			}
			t.advance("folded into", node.Canonical)
		}
	}
	if page != nil && t.State != TargetLive && t.State != TargetUnread {
		return *page, nil
	}
	return t, nil
}

func (n Node) there() bool { return n.Seen == document.Read || n.Seen == document.Kept }

func (n Node) redirects() bool { return n.Seen == document.Moved || n.Seen == document.Elsewhere }

// advance takes a step, which how says in words.
func (t *Target) advance(how, url string) {
	t.URL = url
	if url != "" {
		t.Chain = strings.TrimPrefix(t.Chain+", "+how+" "+url, ", ")
	}
}

// finals are what stands at the end of a walk, by what is seen there.
var finals = map[document.Seen]TargetState{
	document.Read: TargetLive, document.Kept: TargetLive, document.NoIndex: TargetHidden, document.Gone: TargetDead, document.Missing: TargetDead,
	document.OutOfScope: TargetForeign, document.Disallowed: TargetForeign, document.LeftOut: TargetForeign,
}

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

func (t Target) describe() string {
	if t.State == TargetLive && t.Hops > 1 {
		return "a redirect or names another page"
	}
	if t.State == TargetLive {
		return "a page with other content"
	}
	return string(t.State)
}

// Node is what Resolve must know of one URL on the way.
type Node struct {
	Seen      document.Seen // empty: not looked at
	Status    int
	Target    string // of a redirect
	Canonical string // of a page that is there
}

// Resolve follows redirects and canonicals from first, which the page at from
// leads to, to their end. look tells what is known of a URL. A redirect ends at a
// page, and continues to that page's canonical only where that is no mistake. A
// canonical must not lead to a redirect.
func Resolve(from, first string, look func(url string) (Node, error)) (Target, error) {
	node, err := look(from)
	if err != nil {
		return Target{}, err
	}
	w := &walk{from: from, url: first, first: first, look: look}
	return w.follow(node.there())
}

func (n Node) there() bool { return n.Seen == document.Read || n.Seen == document.Kept }

func (n Node) redirects() bool { return n.Seen == document.Moved || n.Seen == document.Elsewhere }

type walk struct {
	from, url string
	first     string
	hops      int
	temporary bool
	chain     []string
	look      func(url string) (Node, error)
}

// follow walks on to the end; canonical says that it follows canonicals alone.
func (w *walk) follow(canonical bool) (Target, error) {
	for {
		node, end, err := w.step()
		switch {
		case err != nil || end != TargetNone:
			return w.end(end), err
		case node.redirects() && canonical:
			return w.end(TargetVia), nil
		case node.redirects():
			w.temporary = w.temporary || node.Seen == document.Elsewhere
			w.advance(redirectBy(node.Status)+" to", node.Target)
		case !node.there() || node.Canonical == "":
			return w.end(cmp.Or(finals[node.Seen], TargetUnread)), nil
		default:
			page := w.end(TargetLive)
			w.advance("folded into", node.Canonical)
			if canonical {
				continue
			}
			folded, err := w.follow(true)
			if folded.State == TargetLive || folded.State == TargetUnread {
				return folded, err
			}
			return page, err
		}
	}
}

// step looks at where the walk stands, or says that it ends there unseen.
func (w *walk) step() (Node, TargetState, error) {
	if w.hops == maxHops {
		return Node{}, TargetLoop, nil
	}
	w.hops++
	switch w.url {
	case "":
		w.url = w.first
		return Node{}, TargetForeign, nil
	case w.from:
		return Node{}, TargetLoop, nil
	}
	node, err := w.look(w.url)
	return node, TargetNone, err
}

// advance takes a step, which how says in words.
func (w *walk) advance(how, url string) {
	w.url = url
	if url != "" {
		w.chain = append(w.chain, how+" "+url)
	}
}

func (w *walk) end(state TargetState) Target {
	return Target{URL: w.url, State: state, Hops: w.hops, Temporary: w.temporary, Chain: strings.Join(w.chain, ", ")}
}

// finals are what stands at the end of a walk, by what is seen there.
var finals = map[document.Seen]TargetState{
	document.Read: TargetLive, document.Kept: TargetLive, document.NoIndex: TargetHidden, document.Gone: TargetDead, document.Missing: TargetDead,
	document.OutOfScope: TargetForeign, document.Disallowed: TargetForeign, document.LeftOut: TargetForeign,
}

package judge

import "sitesync/internal/document"

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
	TargetLoop    TargetState = "a loop"       // or more than 10 hops
)

// Target is the end of a chain of redirects and canonicals.
type Target struct {
	URL   string
	State TargetState
	Hops  int
	Sole  bool // no other document redirects there
	Alike bool // it has at least half of the text blocks, or the very content
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
	Target    string        // of a redirect
	Canonical string        // of a page that is there
}

// Resolve follows redirects and canonicals from first, the target of a page at
// from, to their end. look tells what is known of a URL.
func Resolve(from, first string, look func(url string) (Node, error)) (Target, error) {
	url := first
	for hop := 1; hop <= maxHops; hop++ {
		if url == "" {
			return Target{URL: first, State: TargetForeign, Hops: hop}, nil
		}
		if url == from {
			return Target{URL: url, State: TargetLoop, Hops: hop}, nil
		}
		node, err := look(url)
		if err != nil {
			return Target{}, err
		}
		next, state := step(node)
		if state != TargetNone {
			return Target{URL: url, State: state, Hops: hop}, nil
		}
		url = next
	}
	return Target{URL: url, State: TargetLoop, Hops: maxHops}, nil
}

// step returns where a chain goes on from a node, or how it ends there.
func step(node Node) (next string, end TargetState) {
	switch node.Seen {
	case document.Read, document.Kept, document.NoIndex:
		if node.Canonical != "" {
			return node.Canonical, TargetNone
		}
		return "", TargetLive
	case document.Moved, document.Elsewhere:
		return node.Target, TargetNone
	case document.Gone, document.Missing:
		return "", TargetDead
	case document.OutOfScope, document.Disallowed:
		return "", TargetForeign
	default:
		return "", TargetUnread
	}
}

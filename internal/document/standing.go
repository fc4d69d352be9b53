package document

// Refusal is the kind of answer by which a server refuses a page. Network errors and bot challenges do not
// count.
type Refusal string

// The kinds of refusal. LedOut is no refusal, but Standing counts it in the same way.
const (
	RefusedNot    Refusal = ""
	RefusedClient Refusal = "denied" // 4xx
	RefusedLegal  Refusal = "legal"  // 451
	RefusedServer Refusal = "error"  // 5xx
	RefusedEmpty  Refusal = "empty"
	RefusedLogin  Refusal = "login"
	RefusedType   Refusal = "type" // a media type that makes no document

	LedOut Refusal = "led-out" // a permanent redirect to a URL that may not be in the index
)

// Standing counts the nights in which a page showed something other than its content. A night is a run that
// begins at least half a day after the start of the previous night.
type Standing struct {
	Kind   Refusal `json:"kind,omitempty"`
	Nights int     `json:"nights,omitempty"` // consecutive nights of that kind
	All    int     `json:"all,omitempty"`    // nights of any kind
	First  int64   `json:"first,omitempty"`  // start of the first counted run, Unix seconds
	Last   int64   `json:"last,omitempty"`   // start of the last counted run, Unix seconds
}

const stands = 3

// Refused returns the kind of refusal if the page was refused for at least three nights in a row, otherwise
// RefusedNot. A page with such a refusal does not count in the state of its host.
func (s Standing) Refused() Refusal {
	if s.Nights < stands {
		return RefusedNot
	}
	return s.Kind
}

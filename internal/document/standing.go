package document

// Refusal is what a server answers, by itself and on purpose, in place of a page. What fails
// on the way, a request to come back later and a guard's challenge are none.
type Refusal string

// The kinds of refusals, and what else a page may show in place of itself for many nights.
const (
	RefusedNot    Refusal = ""
	RefusedClient Refusal = "denied" // 4xx
	RefusedLegal  Refusal = "legal"  // 451
	RefusedServer Refusal = "error"  // 5xx
	RefusedEmpty  Refusal = "empty"  // a page or a file without a byte
	RefusedLogin  Refusal = "login"
	RefusedType   Refusal = "type" // what no document is made of

	LedOut Refusal = "led-out" // a permanent redirect to what may not be in the index
)

// Standing is for how long a page has shown something else than itself. A night is a run that
// begins at least half a day after the last one that counted. The zero value: it has not.
type Standing struct {
	Kind   Refusal `json:"kind,omitempty"`   // of the last night
	Nights int     `json:"nights,omitempty"` // of that kind, in a row
	All    int     `json:"all,omitempty"`    // nights in all
	First  int64   `json:"first,omitempty"`  // start of the run that counted first, Unix seconds
	Last   int64   `json:"last,omitempty"`   // and last
}

// stands is for how many nights a page must have been refused to say nothing of its host
// any more.
const stands = 3

// Refused returns as what the page has been refused for so long that it says nothing of its
// host any more; RefusedNot where it has not.
func (s Standing) Refused() Refusal {
	if s.Nights < stands {
		return RefusedNot
	}
	return s.Kind
}

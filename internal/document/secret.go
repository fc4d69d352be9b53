package document

import "fmt"

// Secret is a password, a key or a header's value. Whatever prints, logs or
// encodes it shows Hidden; convert it with string() only where it is sent.
type Secret string

// Hidden stands for a secret.
const Hidden = "[secret]"

// String returns Hidden.
func (Secret) String() string { return Hidden }

// MarshalText returns Hidden, so JSON and logs show that.
func (Secret) MarshalText() ([]byte, error) { return []byte(Hidden), nil }

// Format writes Hidden for every verb: without it a verb that does not fit
// a string, such as %d, would print the value in its complaint.
func (Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, Hidden) }

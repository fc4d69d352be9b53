package config

import "fmt"

const masked = "[secret]"

// Secret is a password, a key or a header's value. Whatever prints, logs or
// encodes it shows "[secret]"; convert it with string() only where it is sent.
type Secret string

// String returns "[secret]".
func (Secret) String() string { return masked }

// MarshalText returns "[secret]", so JSON and logs show that.
func (Secret) MarshalText() ([]byte, error) { return []byte(masked), nil }

// Format writes "[secret]" for every verb: without it a verb that does not fit
// a string, such as %d, would print the value in its complaint.
func (Secret) Format(f fmt.State, _ rune) { fmt.Fprint(f, masked) }

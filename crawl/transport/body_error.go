package transport

import "fmt"

// bodyError says why a body was not read whole.
type bodyError struct {
	text  string
	cause error
}

func bodyErrorf(cause error, format string, args ...any) *bodyError {
	return &bodyError{text: fmt.Sprintf(format, args...), cause: cause}
}

// Error returns the reason in words.
func (e *bodyError) Error() string { return e.text }

// Unwrap returns what broke the body, if anything is known of it.
func (e *bodyError) Unwrap() error { return e.cause }

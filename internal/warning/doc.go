// Package warning gathers what the owner of a site should know of a run.
//
// It guarantees bounded memory, and that what is kept does not depend on the order in which
// it came. What is worth a warning is left to the caller. A List is safe for concurrent use.
package warning

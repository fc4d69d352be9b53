// Package warning collects the warnings of a run for the owner of the site. It guarantees bounded memory. The
// warnings that a List keeps do not depend on the order in which they were added. Callers decide what is
// worth a warning. A List is safe for concurrent use.
package warning

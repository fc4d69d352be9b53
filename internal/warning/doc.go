// Package warning collects the warnings of a run for the owner of the site. A List keeps a limited number of
// each kind. Which ones it keeps does not depend on the order in which they were added. Callers decide what
// is worth a warning. A List is safe for concurrent use.
package warning

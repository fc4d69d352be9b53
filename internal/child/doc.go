// Package child starts this program again as a child process, for work that may crash or must be killed.
//
// It guarantees that a child gets no environment variables, and that it ends with its context. A child itself must
// end at the end of its standard input, because then its parent is dead. A Process is for one goroutine at a time.
package child

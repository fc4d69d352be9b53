// Package child starts this program once more, for work that may end its process, or that
// nothing else can end.
//
// It guarantees that a child gets no environment, and that it ends with its context. It
// leaves to the child that it ends when its standard input does: its parent has gone.
//
// A Process is for one goroutine at a time.
package child

// Package child starts this program again as a child process, for work that may crash or must be killed. A
// child gets no environment variables, and is killed when its context ends. It must exit at the end of its
// standard input, which shows that its parent is dead. Only one goroutine at a time may use a Process.
package child

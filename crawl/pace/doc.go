// Package pace limits the load on one host: when the next request may begin, how many may run at the same
// time, and when a failing host is given up (gets no more requests).
//
// The caller decides which requests are made. A Pace is safe for concurrent use, a Breaker is not.
package pace

// Package pace limits the load on one host. It decides when the next request may begin, how many requests may
// run at the same time, and when a failing host is given up (gets no more requests).
//
// The caller chooses the requests. A Pace is safe for concurrent use, a Breaker is not.
package pace

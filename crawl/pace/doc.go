// Package pace holds the politeness towards one host: when the next request may begin,
// how many may be under way, and when the host is given up.
//
// What is asked is left to the caller; a pace only decides when. A Pace is safe for
// concurrent use, a Breaker is not.
package pace

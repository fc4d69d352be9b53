// Package pace holds the politeness towards one host: when the next request may begin,
// and how many may be under way.
//
// What is asked is left to the caller; a pace only decides when. It is safe for
// concurrent use.
package pace

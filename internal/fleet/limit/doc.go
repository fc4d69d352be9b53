// Package limit bounds how many sites use one host, or one customer's quota, at a time. A host that
// so many sites may use has as many places, and each place has a lease, as a site has.
//
// It guarantees that no two sites have the same place. The place of a worker that died is free when its
// lease has run out. It leaves to others when to try again: a site never waits in here. A Limiter is
// safe for concurrent use.
package limit

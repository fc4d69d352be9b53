// Package limit bounds how many sites use one host, or one customer's quota, at a time. A host that n sites
// may use has n places, and each place has a lease (internal/fleet/lease): the right of one worker to use it.
// No two sites have the same place. The place of a worker that died is free when its lease has run out.
// Acquire never waits for a place: callers try again. It is safe for concurrent use.
package limit

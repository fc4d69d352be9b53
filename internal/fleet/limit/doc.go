// Package limit bounds how many sites use one host, or one customer's quota, at a time. A host or quota that
// n sites may use has n places. Each place has a lease (internal/fleet/lease), which only one worker can
// hold. If a worker dies, its places are free when their leases have run out. Acquire never waits for a
// place: callers try again. It is safe for concurrent use.
package limit

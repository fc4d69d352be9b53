// Package limit counts how many sites use one host, or one customer's quota, at a time. Each
// has an entry that names the sites and the leases they run under; it is changed by compare
// and set, so workers on any number of machines agree.
//
// It guarantees that no more sites are in an entry than the least limit that any of them, and
// the one that comes, names for it; that a site enters all of its entries or none; and that a
// site whose lease has ended makes room. It leaves to others when to try again: a site never
// waits in here. A Limiter is safe for concurrent use.
package limit

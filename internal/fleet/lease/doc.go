// Package lease gives one worker at a time the right to run a site, or to use a place at a host. Each site and
// place has an entry on the server. Whoever changes an entry names the revision that was read (compare and
// set), so no change is lost. The entry has a number that grows with each lease: a fencing token. A lease ends
// when its holder gives it up, or has not renewed it for its length. Other workers measure that time on their
// own clocks; the clocks of two machines are never compared.
//
// It guarantees that at most one of two holders can change the entry. A holder that asks Left knows of the end
// of its lease before another worker can take over. A Keeper and a Lease are safe for concurrent use.
package lease

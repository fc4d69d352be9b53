// Package lease gives one worker at a time the right to run a site, or to use a place at a host. (A host has
// as many places as sites may use it at a time.) Each site and place has an entry on the server. Whoever
// changes an entry names the revision that was read (compare and set), so no change is lost. The entry has a
// number that grows with each lease: a fencing token. A lease ends when its holder gives it up, or has not
// renewed it for its length. Other workers measure that time on their own clocks; the clocks of two machines
// are never compared. At most one of two holders can change the entry. A holder that asks Left learns of the
// end of its lease before another worker can take over. A Keeper and a Lease are safe for concurrent use.
package lease

// Package lease gives one worker at a time the right to run a site, or to use a place at a host. (A worker is
// a process that crawls sites. A host that n sites may use at a time has n places.) Each site and place has
// an entry on the server. A change names the revision of the entry that it replaces (compare and set), so no
// change is lost. The entry has a fencing token: a number that grows with each lease. A lease ends when its
// holder releases it, or does not renew it for the length of the lease. Other workers measure this length on
// their own clocks. After a takeover the earlier holder can't change the entry. [Lease.Left] reports the end
// before another worker can take the lease. A Keeper and a Lease are safe for concurrent use.
package lease

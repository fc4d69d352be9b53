// Package lease lets one worker at a time run a site, or use a place at a host. A worker is a process that
// crawls sites. A host that n sites may use at a time has n places. Each site and place has an entry on the
// NATS server. A write names the revision that it replaces (compare and set), so no change is lost. Each
// lease has a fencing token, a number greater than that of the lease before. A lease ends when its holder
// releases it, or does not renew it for the lease's length. Other workers measure the length on their own
// clocks. After a takeover, the earlier holder can't write the entry. [Lease.Left] says how long nobody else
// can take the lease. A Keeper and a Lease are safe for concurrent use.
package lease

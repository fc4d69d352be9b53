// Package fleet holds the rooms that run thousands of sites on many machines, over NATS
// JetStream. The unit of work is a site under a lease; a URL is never a message.
//
//   - bus: the connection, and the names of streams, buckets and subjects.
//   - site: what a fleet knows of a site (its configuration, its schedule), and when it is due.
//   - lease: who runs a site, told by one entry with a number that grows with each lease.
//   - snapshot: the ledger of a site, in pieces, and the copy on this machine.
//   - journal: a plan that is being sent, and how far that has come.
//   - record: what the last runs of each site did, with report and messages.
//   - limit: how many sites may use one host, or one customer's quota, at a time.
//   - worker: takes due sites, runs them, hands back their ledgers.
//   - dev: a server inside this process, to try it all on one machine.
package fleet

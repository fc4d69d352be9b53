// Package lease tells who runs a site. Each site has one entry; whoever changes it names the
// revision that was read (compare and set), so changes are in one order and none is lost. The
// entry has a number that grows with each lease: a fencing token. A lease ends when its holder
// gives it up, or has not renewed it for its whole length, as others see it on their own
// clocks; no two machines' clocks are ever compared.
//
// It guarantees that of two holders at most one can change the entry, and that a holder that
// asks Left knows of its end before anyone may take over. It leaves to others what is run.
// A Keeper and a Lease are safe for concurrent use.
package lease

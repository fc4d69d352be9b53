// Package site stores the configuration of each site of a fleet, and schedules the sites in the server's queue.
//
// It guarantees that a stored site can be run: its configuration loads, and holds no secret in clear text. Each
// change names the revision that it replaces. The last changes of a site can be shown and undone. Each site that
// is not paused has a message in the queue, which the server hands out at the due time; Reconcile adds missing
// messages. The run of a site, and its state, are left to others. Sites is safe for concurrent use.
package site

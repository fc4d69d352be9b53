// Package site keeps the configuration of each site of a fleet, and has the server say when a site is
// due.
//
// It guarantees that a stored site can be run (its configuration loads, holds no secret in clear and
// shares no document with another site), that each change names the revision that it replaces, and that
// the last changes of a site can be shown and undone. Each site that is not paused has one message in
// the queue, which the server hands out in time; Reconcile adds missing ones. Who runs a site, and its
// state, are left to others. Sites is safe for concurrent use.
package site

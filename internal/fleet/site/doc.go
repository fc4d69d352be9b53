// Package site stores the configuration of each site of a fleet (many sites that workers on several machines
// run), and schedules the sites in the server's queue. A stored site can be run: its configuration loads, and
// holds no secret in clear text. Each change names the revision that it replaces. The last changes of a site
// can be shown and undone. Each site that is not paused has a message in the queue, which the server hands
// out at the due time; Reconcile adds missing messages. Other packages run the sites and store their states.
// Sites is safe for concurrent use.
package site

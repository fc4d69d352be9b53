// Package site stores the configurations of a fleet's sites. Workers on several machines crawl these sites. A
// stored configuration is valid, and holds no secret in clear text. Each change names the revision that it
// replaces. The NATS server keeps the newest changes of a site, so operators can undo them. A queue has a
// message for each site that is not paused, and delivers the message when the site is due for a crawl.
// Reconcile adds missing messages. Other packages run the sites and store their states. Sites is safe for
// concurrent use.
package site

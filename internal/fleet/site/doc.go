// Package site stores the configurations of a fleet's sites. (A fleet is many sites that workers on several
// machines crawl.) A stored configuration is valid, and holds no secret in clear text. Each change names the
// revision that it replaces. The server keeps the newest changes of a site, so operators can see and undo
// them. Each site that is not paused has a message in a queue, which delivers the message when the site is
// due. Reconcile adds missing messages. Other packages run the sites and store their states. Sites is safe
// for concurrent use.
package site

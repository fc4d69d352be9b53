// Package work manages the work folder of a run, so that a stopped run can be resumed. A run is one crawl of
// a site and the update of its index. The folder holds a lock and two logs. One logs sightings: what the run
// saw at each URL. The other logs drafts: documents before the site's common text is removed. Package crawl
// adds the frontier (the URLs to fetch).
//
// One run at a time can use a folder. A run is resumed only with the same configuration and ledger (the
// record of what the index holds). If a folder is removed, its pages are fetched again. Sightings and drafts
// are on disk once Folder.Group is flushed. Adding and reading them is safe for concurrent use. Opening,
// finishing and closing a folder is not.
package work

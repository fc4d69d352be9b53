// Package work manages the work folder of a run (one crawl of a site and the update of its index), so that a
// stopped run can be resumed. The folder holds a lock, the sightings (what the run saw at each URL) and the
// drafts (documents before the site's common text is removed).
//
// One run at a time can use a folder. A folder is resumed only with the same configuration and ledger (the
// record of what the index holds). The next run removes the temporary folders of killed processes. If a
// folder is removed, its pages are fetched again. Sightings and drafts are on disk once Folder.Group is
// flushed. Package crawl keeps the frontier (the URLs to fetch) in the same folder. Adding and reading
// sightings and drafts is safe for concurrent use; opening, finishing and closing a folder is not.
package work

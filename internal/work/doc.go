// Package work is the folder of a run: its lock, and its sightings and drafts, so that a stopped run can be resumed.
//
// It guarantees that one run at a time has a folder, and that a folder is resumed only with the same configuration and
// ledger. The next run removes the temporary folders of killed processes. Removing the folder costs only another
// fetch of its pages. Appended data is on disk once the Group is flushed.
//
// It leaves to others the meaning of a sighting, and the frontier, which crawl keeps in the same folder. Adding and
// reading sightings and drafts is safe for concurrent use; opening, finishing and closing are not.
package work

// Package work is the folder that one run works in: the run lock, and on disk what the
// crawl saw and read, so that a run that was stopped can be resumed.
//
// It guarantees that one run at a time has a folder, that a folder is resumed only with
// the same configuration and ledger, and that the next run removes the temporary folders of
// killed processes. The folder can be thrown away: its pages are then fetched again. What is
// appended is durable once the Group is flushed.
//
// It leaves to others what a sighting means, and the frontier, which crawl keeps in the
// same folder. Adding and reading sightings and drafts is safe for concurrent use;
// opening, finishing and closing are not.
package work

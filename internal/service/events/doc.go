// Package events records what visitors do: queries, clicks on results, feedback, and clicks in answers
// (specification sections 2.8 to 2.11, 4.3, 4.4 and 6).
//
// It guarantees: an event is on disk, as it was sent, before it is acknowledged. Data about visitors is
// written only to the store's file. When all events exceed Bounds.EventBytes, the oldest are deleted. Valid
// events beyond Bounds.EventRate get the status 429. An event is refused if it holds an ID, such as a qid
// (the ID of a search), that was issued for another engine (site search).
//
// It leaves to others: the file (package store), authentication and the IDs of answers (package web).
//
// A Recorder is safe for concurrent use.
package events

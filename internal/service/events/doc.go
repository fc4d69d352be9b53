// Package events records what visitors do: queries, clicks on results, feedback, and clicks in answers
// (specification sections 2.8 to 2.11, 4.3, 4.4 and 6).
//
// An event is on disk, as it was sent, before it is acknowledged. Data about visitors is written only to the
// store's file. When all events exceed Bounds.EventBytes, the oldest are deleted. Valid events beyond
// Bounds.EventRate get the status 429. An engine (a site search) refuses events with IDs of another engine,
// such as a qid (the ID of a search).
//
// Package store manages the file. Package web checks credentials and issues the IDs of answers.
//
// A Recorder is safe for concurrent use.
package events

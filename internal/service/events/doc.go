// Package events is what visitors did and thought: query and click events, feedback, and
// clicks in answers (specification sections 2.8 to 2.11, 4.3, 4.4 and 6).
//
// It guarantees: an event is on disk before it is acknowledged, as it was sent, with all
// that it says of a visitor, in the store's file alone; the latest 100 MB are kept; more than
// 50 valid ones a second are answered 429; an event with the IDs of another engine's
// answers is refused.
//
// It leaves to others: the file (store), who may call and the IDs of answers (web).
//
// A Recorder is safe for concurrent use.
package events

// Package health sums up what the documents of a run hold, by host, folder and type, and
// finds what fell since earlier runs.
//
// It guarantees constant memory: documents come in the order of their URLs, and only the
// largest groups are kept. It leaves to others which pages are documents. Nothing here is
// safe for concurrent use.
package health

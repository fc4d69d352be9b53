// Package bus connects to NATS and names what a fleet keeps there: streams, buckets, subjects.
// It guarantees that whoever has a Bus has found them, and that they are of this version. It
// leaves their contents to the other rooms. A Bus is safe for concurrent use.
package bus

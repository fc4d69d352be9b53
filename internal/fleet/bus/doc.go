// Package bus connects to the NATS server of a fleet: sites that workers on several machines crawl. It names
// the fleet's streams, buckets (key-value stores) and subjects. A Bus is safe for concurrent use.
package bus

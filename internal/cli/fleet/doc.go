// Package fleet holds the commands of a fleet: sites that many workers run, over NATS JetStream. No code of NATS
// runs without one of these commands. internal/fleet does the work. Nothing here is safe for concurrent use.
package fleet

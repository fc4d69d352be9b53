// Package fleet holds the commands of a fleet: many sites that workers on several machines run, over NATS
// JetStream. All other commands of sitesync run no code of NATS. Nothing here is safe for concurrent use.
package fleet

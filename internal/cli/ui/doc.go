// Package ui holds the command ui: it connects the pages of internal/ui with the configuration, the
// ledger and the other commands, and serves them on loopback.
package ui

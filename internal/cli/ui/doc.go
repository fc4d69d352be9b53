// Package ui holds the command ui: it wires the pages of internal/ui to the configuration,
// its ledger and the program's own commands, and listens on loopback.
package ui

// Package ui holds the command ui. It serves the web pages of internal/ui on loopback. They use the ledger
// (the record of what the index holds), the configuration and the other commands.
package ui

// Package ui holds the command "ui", which serves the web pages of internal/ui on loopback. The pages use the
// ledger (the record of what the index holds), the configuration and the other commands.
package ui

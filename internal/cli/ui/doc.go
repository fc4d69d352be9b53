// Package ui holds the command ui. It serves the pages of internal/ui on loopback, with the ledger, the
// configuration and the other commands behind them.
package ui

// Package config reads sitesync.toml into typed values.
//
// It guarantees that a Config it returns is whole and in range: every key is
// known, every value has its type, every pattern, selector, address and time
// zone was tried. It reports all faults of a file at once, each with file, line
// and key, and never shows a secret: not in a fault, not in a log, not in JSON.
//
// ${NAME} in a text is replaced by that environment variable. One that is unset
// or empty is not a fault of the file: the key keeps its default and is pending
// until a command asks for it with Require, NeedCrawl or NeedPush.
//
// It leaves to others what a value does, whether an address answers and whether
// credentials are right. A Config is not changed after Load and is safe for
// concurrent use.
package config

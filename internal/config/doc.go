// Package config reads the configuration file sitesync.toml into typed values.
//
// In a Config that Load returns, every key is known, every value has the right type and range, and every
// pattern, selector, address and time zone is valid. Load reports all faults of a file at once, each with
// file, line and key. No error message, log or JSON shows a secret.
//
// ${NAME} in a string is replaced by the environment variable NAME. If NAME is unset or empty, the key is
// pending and keeps its default. A pending key is an error only for a command that needs the key: see
// Require, NeedCrawl and NeedPush.
//
// The package does not test whether an address answers or whether credentials are right. A Config does not
// change after Load and is safe for concurrent use.
package config

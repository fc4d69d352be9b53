package document

import "time"

// File is what the reader of a file format found in a file.
type File struct {
	Blocks   []string // the text in reading order, a paragraph, table row or line each
	Title    string   // as the file's own metadata name it, however useless
	Author   string
	Language string // tag as the file gives it
	Created  time.Time
	Modified time.Time
	Links    []string // addresses that the file links to, as they stand, without repetition
	NoText   string   // why Blocks is empty, in words: "it asks for a password", "it holds pictures alone"
}

// Package own knows the folders that sitesync makes for itself, and the names of all that it
// writes there.
//
// It guarantees that nothing else is ever removed: a folder that holds a file of another
// name, or a link, or that other users may write, is refused as a whole, and what is removed
// goes one by one, by name. A folder that a process made under a random name, and removes
// itself, needs none of this.
//
// It leaves to others what the files mean, and who may use a folder at a time.
package own

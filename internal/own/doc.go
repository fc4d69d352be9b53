// Package own knows the folders that sitesync makes for itself, and the names of all files that it writes there.
//
// It guarantees that sitesync removes no other files. It refuses a folder that holds a file of another name or a
// link, or that other users may write. It removes files one by one, by name. A temporary folder with a random
// name does not need this package if the process that made it also removes it.
//
// It leaves to others the meaning of the files, and the locks of the folders.
package own

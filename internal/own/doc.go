// Package own lists the names of all files that sitesync writes into its own folders, so that it removes no
// other file. It refuses a folder that holds a link or a file whose name is not listed, or that other users
// may write to. It removes files one by one, by name. A temporary folder with a random name does not need
// this package if the same process makes and removes it. Other packages lock the folders and define the
// contents of the files.
package own

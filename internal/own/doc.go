// Package own lists the names of all files that sitesync writes into its own folders. It removes these files
// one by one, by name, and no others. It refuses folders that hold anything else or that other users may
// write to. A temporary folder with a random name does not need this package if the same process makes
// and removes it. Other packages lock the folders and define the contents of the files.
package own

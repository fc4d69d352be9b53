// Package own names the folders that sitesync makes for itself, and all files that it writes there, so that
// it never removes other files. It refuses a folder that holds a link or a file with another name, or that
// other users may write to. It removes files one by one, by name. A temporary folder with a random name does
// not need this package if the same process makes and removes it. Other packages lock the folders and define
// the contents of the files.
package own

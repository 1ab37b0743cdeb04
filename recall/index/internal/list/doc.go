// Package list keeps the small files that name the segments which count, and puts a new one in
// the place of the old under a lock.
package list

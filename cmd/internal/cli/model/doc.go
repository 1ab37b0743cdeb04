// Package model holds the commands on embedding models, and on the vectors that they make.
package model

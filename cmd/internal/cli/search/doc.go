// Package search holds the commands that find checkpoints and knowledge by what they mean.
package search

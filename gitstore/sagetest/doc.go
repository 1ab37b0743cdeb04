// Package sagetest draws checkpoints and what they are made of at random, and compares with golden
// files, for the tests of what reads, writes, merges and compares them.
package sagetest

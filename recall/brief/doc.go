// Package brief writes what a model is shown: short, inside a fence, and so that nothing in it
// acts as an instruction, a tag or the end of the fence.
package brief

// Package validate says everything that is wrong with a checkpoint or an item that a person or
// an agent gives.
package validate

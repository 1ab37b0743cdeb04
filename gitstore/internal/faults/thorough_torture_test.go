//go:build torture

package faults_test

const thorough = true

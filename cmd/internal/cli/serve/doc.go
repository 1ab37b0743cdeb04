// Package serve holds the commands that clients call: the MCP server and the hooks.
package serve

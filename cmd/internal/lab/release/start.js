#!/usr/bin/env node
// Starts the program of this system, which npm installed beside this package.
const { spawnSync } = require('node:child_process')

const name = `@git-sage/${process.platform}-${process.arch}`
const file = process.platform === 'win32' ? 'git-sage.exe' : 'git-sage'
let program
try {
  program = require.resolve(`${name}/bin/${file}`)
} catch {
  console.error(`fatal: ${name} is not installed: run npm install without --omit=optional, or use another package of git-sage`)
  process.exit(128)
}
const ran = spawnSync(program, process.argv.slice(2), { stdio: 'inherit' })
if (ran.error) {
  console.error(`fatal: ${program}: ${ran.error.message}`)
  process.exit(128)
}
if (ran.signal) process.kill(process.pid, ran.signal)
process.exit(ran.status)

// Ends the process with one sentence on a Node that the service does not run on. It loads nothing: on such a Node, the
// modules of the service may not even load.
import { readFileSync } from 'node:fs'

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The lowest supported release of each supported major, ascending. */
const supported = engines.node.split(' || ').map((range) => range.slice(1).split('.').map(Number))
const [newest] = supported.at(-1)
const [major, minor] = process.versions.node.split('.').map(Number)
const lowest = supported.find(([each]) => each === major)

if (major > newest)
  process.stderr.write(
    `This version has not been tested on Node ${process.versions.node}: if something fails, use Node 24.\n`,
  )
else if (lowest === undefined || minor < lowest[1]) {
  const releases = supported.map((each) => each.slice(0, 2).join('.').replace(/\.0$/, '')).join(', ')
  process.stderr.write(
    `The publishing service does not run on Node ${process.versions.node}: install Node 24, or the newest release of another supported line (${releases} and later).\n`,
  )
  process.exit(1)
}

/**
 * `npm run build:servers`: builds the servers that the tests named `*.servers.test` start. Built servers are not
 * built again.
 */
import { buildServer } from './server-binaries.js'

const report = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

try {
  for (const name of ['ferretdb', 'minio'] as const) await buildServer(name, report)
} catch (error) {
  report(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}

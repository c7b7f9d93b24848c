/** The types of the client package are those that `npm run client` generates. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { root } from '../documentation/documents.js'

const run = promisify(execFile)

describe('packages/client/src/api.ts', function () {
  this.timeout(60_000)

  it('is current; if not, run `npm run client`', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'client-types-'))
    try {
      const [document, types] = [join(folder, 'openapi.json'), join(folder, 'api.ts')]
      await run(process.execPath, [`${root}test/dist/openapi/write-document.js`, document])
      await run('npm', ['run', 'types', '--', document, '--output', types], { cwd: `${root}packages/client` })
      const current = await readFile(`${root}packages/client/src/api.ts`, 'utf8')
      expect(current === (await readFile(types, 'utf8'))).to.equal(true)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

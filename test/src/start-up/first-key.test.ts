/** The secret of the first key without a terminal is written to a file that only the user can read. */
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { launchService, withDirectory } from './program.js'
import { requestToken, keyFileIn, readKeyFile } from './token.js'

describe('the secret of the first key', function () {
  this.timeout(30_000)

  it('is written to a file with mode 0600 without a terminal, which the log names', () =>
    withDirectory(async (directory) => {
      const DATA_DIR = join(directory, 'da ta')
      const service = await launchService({ DATA_DIR, LOG_LEVEL: 'info' })
      const path = keyFileIn(service.out())
      expect(path).to.equal(join(DATA_DIR, 'first-key.env'))
      expect((await stat(path)).mode & 0o777).to.equal(0o600)
      const key = await readKeyFile(service.out())
      expect((await requestToken(service.url, key)).status).to.equal(200)
      const { out, error } = await service.stop()
      expect(error).to.include(`"path":"${path}","event":"first key written"`)
      expect(out + error).to.not.include(key.api_secret)
      expect(await readFile(path, 'utf8')).to.equal(`API_KEY=${key.api_key}\nAPI_SECRET=${key.api_secret}\n`)
    }))

  it('replaces a file of an earlier start, whatever its permissions were', () =>
    withDirectory(async (directory) => {
      const path = join(directory, 'first-key.env')
      await writeFile(path, 'API_KEY=old\n')
      await chmod(path, 0o644)
      const service = await launchService({ DATA_DIR: directory })
      expect((await stat(path)).mode & 0o777).to.equal(0o600)
      expect((await requestToken(service.url, await readKeyFile(service.out()))).status).to.equal(200)
      await service.stop()
    }))

  it('is lost if the file is not writable, and the welcome message explains what to do', () =>
    withDirectory(async (directory) => {
      await mkdir(join(directory, 'first-key.env'))
      const service = await launchService({ DATA_DIR: directory })
      const { code, out, error } = await service.stop()
      expect(code).to.equal(0)
      expect(out).to.match(
        /the secret could not be written to \S+first-key\.env: .*\nCreate another key: .* key create /,
      )
      expect(out).to.match(/^ {2}API secret {2}lost$/m)
      expect(error).to.include('"event":"first key not written"')
    }))

  it('is written to no file if it was configured', () =>
    withDirectory(async (directory) => {
      const service = await launchService({
        DATA_DIR: directory,
        BOOTSTRAP_API_SECRET: 'a-secret-of-my-own',
      })
      const { out } = await service.stop()
      expect(out).to.match(/^ {2}API secret {2}as set in BOOTSTRAP_API_SECRET$/m)
      expect(await readdir(directory)).to.not.include('first-key.env')
    }))
})

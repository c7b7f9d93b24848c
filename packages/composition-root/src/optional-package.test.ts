/** The message if a package is not installed, and that it contains the version that the adapter was developed with. */
import { readFile } from 'node:fs/promises'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { imagingPackages } from './modules.js'
import { optionalPackage } from './error-messages.js'

const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

describe('a package that may be missing', () => {
  it('is loaded if it is there', async () => {
    expect(await optionalPackage('one', async () => 1, 'install it')).to.equal(1)
  })

  it('is requested by name if it is not installed', async () => {
    const absent = 'no-such-package'
    const error = await rejection(optionalPackage(absent, () => import(absent), 'install it'))
    expect(error).to.be.instanceOf(Error).and.to.have.property('message', 'install it')
  })

  it('is not reported for other errors', async () => {
    const other = Object.assign(new Error("Cannot find package 'another'"), { code: 'ERR_MODULE_NOT_FOUND' })
    for (const error of [other, new Error("'sharp' is broken")])
      expect(await rejection(optionalPackage('sharp', () => Promise.reject(error), 'install it'))).to.equal(
        error,
      )
  })

  it('sharp is to be installed in the version that its adapter names, and is tested with', async () => {
    const manifest: unknown = JSON.parse(
      await readFile(new URL('../../adapter-sharp/package.json', import.meta.url), 'utf8'),
    )
    for (const kind of ['peerDependencies', 'devDependencies'])
      expect(manifest).to.have.nested.property(`${kind}.sharp`, imagingPackages.sharp)
  })
})

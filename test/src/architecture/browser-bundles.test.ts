/** What browsers load with an import of the domain: declarations come without the tables of those that carry them out. */
import { gzipSync } from 'node:zlib'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { build } from 'rolldown'
import { root } from '../documentation/documents.js'

const maxBytes = 150_000

/** The size of a minified bundle of exports, compressed, and the packages of the registry in it. */
const bundleOf = async (names: string, entry = '') => {
  const source = `export { ${names} } from '@publishing-service/domain${entry}'`
  const { output } = await build({
    cwd: root,
    input: 'exports',
    write: false,
    platform: 'browser',
    output: { minify: true },
    plugins: [
      {
        name: 'exports',
        resolveId: (id) => (id === 'exports' ? id : null),
        load: (id) => (id === 'exports' ? source : null),
      },
    ],
  })
  expect(output).to.have.lengthOf(1)
  const [{ code, modules, imports }] = output
  expect(imports).to.deep.equal([])
  const packages = Object.entries(modules).flatMap(([id, { renderedLength }]) => {
    const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1]
    return name === undefined || renderedLength === 0 ? [] : [name]
  })
  return { bytes: gzipSync(code).length, packages: new Set(packages) }
}

describe('a bundle for browsers', () => {
  it(`of the declaration of content has at most ${maxBytes} bytes, compressed`, async () => {
    const { bytes, packages } = await bundleOf('content')
    expect([packages.has('saxes'), packages.has('any-ascii')]).to.deep.equal([true, false])
    expect(bytes).to.be.greaterThan(50_000).and.lessThanOrEqual(maxBytes)
  })

  it('of all declarations has no letters of all scripts and no list of MIME types', async () => {
    const { packages } = await bundleOf('resources')
    for (const each of ['any-ascii', 'mime']) expect(packages.has(each), each).to.equal(false)
  })

  it('of what makes urlnames has the letters, and of what reads file names the list', async () => {
    expect((await bundleOf('decideWrite')).packages.has('any-ascii')).to.equal(true)
    expect((await bundleOf('dataTypeFrom', '/files')).packages.has('mime')).to.equal(true)
  })
})

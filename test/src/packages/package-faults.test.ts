/** The check of packed packages, on a package with one fault at a time. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { runScript } from '../documentation/shell.js'
import { packageFaults } from './package-faults.js'

type Files = Readonly<Record<string, string>>

const manifest = {
  name: '@publishing-service/one',
  version: '1.2.3',
  description: 'One',
  license: 'Apache-2.0',
  type: 'module',
  repository: { type: 'git', url: 'git+https://example.org/service.git', directory: 'packages/one' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  main: './index.js',
  types: './index.d.ts',
}
const files: Files = {
  'package.json': JSON.stringify(manifest),
  'index.js': 'export const one = 1\n',
  'index.d.ts': 'export declare const one = 1\n',
  LICENSE: 'Apache License\n',
  'README.md': '# One\n\n[All](https://example.org/), [here](#one)\n',
}
const withManifest = (changes: object): Files => ({
  'package.json': JSON.stringify({ ...manifest, ...changes }),
})

describe('a packed package', function () {
  this.timeout(60_000)
  let folder: string
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'package-'))))
  after(() => rm(folder, { recursive: true }))

  const faultsOf = async (changes: Files): Promise<readonly string[]> => {
    const staged = await mkdtemp(join(folder, 'one-'))
    await mkdir(join(staged, 'package'))
    for (const [name, text] of Object.entries({ ...files, ...changes }))
      await writeFile(join(staged, 'package', name), text)
    await runScript('tar -czf one.tgz package', { directory: staged })
    return packageFaults(await readFile(join(staged, 'one.tgz')), {
      version: '1.2.3',
      development: '1.2.3-dev',
      directory: 'packages/one',
    })
  }

  it('that keeps all promises has no faults', async () => {
    expect(await faultsOf({})).to.deep.equal([])
  })

  for (const [fault, changes, named] of [
    ['has another version', withManifest({ version: '1.2.4' }), /1\.2\.4/],
    ['names the version of the development', { 'index.js': `export const one = '1.2.3-dev'\n` }, /index\.js/],
    ['has no licence', { LICENSE: '' }, /LICENSE/],
    ['names another folder', withManifest({ repository: manifest.repository.url }), /repository/],
    ['has a relative link', { 'README.md': '# One\n\n[There](../two/README.md)\n' }, /\.\.\/two/],
    ['lacks a file that it exports', withManifest({ main: './none.js' }), /publint/],
    [
      'has no types for node10',
      withManifest({ exports: { ...manifest.exports, './two': manifest.exports['.'] } }),
      /Are the types wrong/,
    ],
  ] as const)
    it(`that ${fault} is found`, async () => {
      const faults = await faultsOf(changes)
      expect(faults).to.not.deep.equal([])
      expect(faults.join('\n')).to.match(named)
    })
})

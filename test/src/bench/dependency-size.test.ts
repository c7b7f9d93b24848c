import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { expect } from 'chai'
import { dependencySize } from './dependency-size.js'

const megabyte = 1024 * 1024

describe('dependencySize', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'publishing-bench-size-'))
  })
  afterEach(() => rm(root, { recursive: true, force: true }))

  const install = async (path: string, bytes: number): Promise<void> => {
    const file = join(root, path, 'index.js')
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, Buffer.alloc(bytes, 'x'))
  }
  const lock = (packages: Readonly<Record<string, object>>): Promise<void> =>
    writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages }))

  it('counts what production installs, once, and neither development’s nor the workspaces’ own', async () => {
    await install('node_modules/outer', megabyte)
    await install('node_modules/outer/node_modules/inner', 2 * megabyte)
    await install('node_modules/outer/node_modules/tool', 8 * megabyte)
    await install('node_modules/tool', 16 * megabyte)
    await install('packages/own', 32 * megabyte)
    await lock({
      '': {},
      'packages/own': {},
      'node_modules/own': { link: true },
      'node_modules/outer': {},
      'node_modules/outer/node_modules/inner': { optional: true },
      'node_modules/outer/node_modules/tool': { devOptional: true },
      'node_modules/tool': { dev: true },
      'node_modules/of-another-platform': { optional: true },
    })
    const bytes = await dependencySize(root)
    expect((bytes ?? 0) / megabyte).to.be.within(3, 3.1)
  })

  it('gives no figure where a package that production needs is not installed', async () => {
    await lock({ 'node_modules/absent': {} })
    expect(await dependencySize(root)).to.equal(null)
  })
})

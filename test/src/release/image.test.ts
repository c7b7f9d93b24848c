/** The image, on programs that stand for Docker and Podman: they write down how they are called. */
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { buildImage, findEngine, type Engine } from './image.js'

describe('the image of a release', () => {
  let folder: string
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'image-'))))
  afterEach(() => rm(folder, { recursive: true }))

  const place = async (name: string, cases: string): Promise<void> => {
    const path = join(folder, name)
    await writeFile(path, `#!/bin/sh\necho "$@" >>'${folder}/calls'\ncase "$1" in\n${cases}\nesac\n`)
    await chmod(path, 0o755)
  }
  const found = () => findEngine({ PATH: folder })
  const engine = async (): Promise<Engine> => {
    const one = await found()
    if ('reason' in one) throw new Error(one.reason)
    return one
  }
  const order = { context: '/context', version: '1.2.3', source: 'https://example.org/service' }

  it('is built by the first program that works', async () => {
    await place('docker', `info) echo 'no daemon' >&2; exit 1 ;;`)
    await place('podman', `run) echo 1.2.3 ;;\nimage) echo 1000 ;;`)
    expect(await buildImage(await engine(), order)).to.deep.equal({
      _tag: 'Built',
      engine: 'podman',
      tag: 'publishing-service:1.2.3',
      bytes: 1000,
    })
    const built = (await readFile(join(folder, 'calls'), 'utf8'))
      .split('\n')
      .find((call) => call.startsWith('build'))
    expect(built)
      .to.include('--target service')
      .and.include('--tag publishing-service:1.2.3')
      .and.match(/ \/context$/)
  })

  it('is not built where no program works, and each reason is said', async () => {
    await place('docker', `info) echo 'no daemon' >&2; exit 1 ;;`)
    const { reason } = { reason: '', ...(await found()) }
    expect(reason)
      .to.include('no daemon')
      .and.match(/podman/)
  })

  it('is faulty if the build fails, or if it reports another version', async () => {
    await place('docker', `build) echo 'npm ci failed' >&2; exit 1 ;;`)
    const failed = await buildImage(await engine(), order)
    expect(failed).to.have.property('_tag', 'Faulty')
    expect(failed).to.have.property('fault').that.includes('npm ci failed')
    await place('docker', `run) echo 1.2.2 ;;`)
    const other = await buildImage(await engine(), order)
    expect(other).to.have.property('_tag', 'Faulty')
    expect(other).to.have.property('fault').that.includes('1.2.2')
  })
})

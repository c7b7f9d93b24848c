import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Finding } from './finding.js'
import {
  judgeDataFolder,
  judgeDescriptors,
  judgeRuntime,
  judgeSecretFile,
  judgeTemporaryFolder,
  judgeZones,
  type DataFolder,
} from './judge-machine.js'

const statesOf = (findings: readonly Finding[]) => findings.map(({ state }) => state)

const gibibyte = 1024 ** 3

const folder: DataFolder = {
  path: '/srv/data',
  mode: 0o700,
  fileSystem: 0xef53,
  freeBytes: 100 * gibibyte,
  reserve: 32 * 1024 * 1024,
  documentBytes: gibibyte,
}

describe('judgeDataFolder', () => {
  const judged = (part: Partial<DataFolder>) => statesOf(judgeDataFolder({ ...folder, ...part }))

  it('accepts a private folder on a local disk with space', () => {
    expect(judged({})).to.deep.equal(['fine'])
    expect(judged({ mode: null, documentBytes: null })).to.deep.equal(['fine'])
  })

  it('warns of permissions of others, and says what to do', () => {
    const [finding] = judgeDataFolder({ ...folder, mode: 0o750 })
    expect(finding).to.deep.include({ state: 'warning', advice: 'chmod 700 /srv/data' })
  })

  it('reports the documents on a network file system, and warns of blobs there', () => {
    for (const fileSystem of [0x6969, 0xff534d42, 0xfe534d42]) {
      expect(judged({ fileSystem })).to.deep.equal(['fault'])
      expect(judged({ fileSystem, documentBytes: null })).to.deep.equal(['warning'])
    }
  })

  it('warns of memory and of the layer of a container', () => {
    expect(judged({ fileSystem: 0x01021994 })).to.deep.equal(['warning'])
    expect(judged({ fileSystem: 0x794c7630 })).to.deep.equal(['warning'])
  })

  it('compares the free space with the reserve, the documents, and a gibibyte', () => {
    expect(judged({ freeBytes: folder.reserve - 1 })).to.deep.equal(['fault'])
    expect(judged({ freeBytes: folder.reserve })).to.deep.equal(['warning'])
    expect(judged({ freeBytes: gibibyte + folder.reserve - 1 })).to.deep.equal(['warning'])
    expect(judged({ freeBytes: gibibyte + folder.reserve })).to.deep.equal(['fine'])
    expect(judged({ freeBytes: gibibyte - 1, documentBytes: null })).to.deep.equal(['warning'])
  })

  it('reports all at once', () => {
    expect(judged({ mode: 0o777, fileSystem: 0x6969, freeBytes: 0 })).to.deep.equal([
      'warning',
      'fault',
      'fault',
    ])
  })
})

describe('judgeSecretFile', () => {
  const judged = (mode: number, path = '/etc/publishing/secret') =>
    statesOf(judgeSecretFile({ variable: 'SMTP_URL_FILE', path, mode }))

  it('accepts what the owner alone can read', () => {
    expect([judged(0o600), judged(0o400)]).to.deep.equal([[], []])
  })

  it('warns of readers, except in the folder of a container, and reports writers everywhere', () => {
    expect(judged(0o640)).to.deep.equal(['warning'])
    expect(judged(0o604)).to.deep.equal(['warning'])
    expect(judged(0o444, '/run/secrets/smtp')).to.deep.equal([])
    expect(judged(0o620)).to.deep.equal(['fault'])
    expect(judged(0o666, '/run/secrets/smtp')).to.deep.equal(['fault'])
  })
})

describe('judgeRuntime', () => {
  it('accepts tested releases, and warns of others and of those without updates', () => {
    const supported = '^20.19.0 || ^22.12.0 || ^24.0.0'
    const judged = (version: string) => statesOf(judgeRuntime({ version, supported }))
    expect(judged('24.3.1')).to.deep.equal(['fine'])
    expect(judged('22.12.0')).to.deep.equal(['fine'])
    expect(judged('20.19.0')).to.deep.equal(['warning'])
    expect(judged('27.0.0')).to.deep.equal(['warning'])
  })
})

describe('judgeDescriptors', () => {
  it('warns below 4096', () => {
    expect([4095, 4096, Infinity, null].map((limit) => statesOf(judgeDescriptors(limit)))).to.deep.equal([
      ['warning'],
      ['fine'],
      ['fine'],
      ['skipped'],
    ])
  })
})

describe('judgeZones', () => {
  it('reports zones that the runtime does not know, and warns of old data', () => {
    expect(statesOf(judgeZones({ release: '2026a', year: 2026, unknown: [] }))).to.deep.equal(['fine'])
    expect(statesOf(judgeZones({ release: '2024b', year: 2026, unknown: [] }))).to.deep.equal(['fine'])
    expect(statesOf(judgeZones({ release: '2023c', year: 2026, unknown: [] }))).to.deep.equal(['warning'])
    expect(statesOf(judgeZones({ release: null, year: 2026, unknown: ['Mars/Base'] }))).to.deep.equal([
      'fault',
    ])
  })
})

describe('judgeTemporaryFolder', () => {
  it('reports a folder that cannot be written, and warns if the largest import does not fit', () => {
    const temporary = { path: '/tmp', isWritable: true, freeBytes: 100, largest: 100 }
    expect(statesOf(judgeTemporaryFolder(temporary))).to.deep.equal(['fine'])
    expect(statesOf(judgeTemporaryFolder({ ...temporary, freeBytes: 99 }))).to.deep.equal(['warning'])
    expect(statesOf(judgeTemporaryFolder({ ...temporary, isWritable: false }))).to.deep.equal(['fault'])
  })
})

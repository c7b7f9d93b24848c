import { expect } from 'chai'
import { describe, it } from 'mocha'
import { WriteCounters } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import { declareBlobStore, declareDocumentStore } from '@publishing-service/ports'
import { memoryBlobStore, memoryDocumentStore, recordingLog } from '@publishing-service/adapter-memory'
import { readConfiguration } from '../read-configuration.js'
import { loadStorePackages } from './store-packages.js'

const log = recordingLog()

const documentStore = declareDocumentStore({
  variables: {
    NOWHERE_URL: {
      meaning: 'Address of the database.',
      secret: true,
      fallback: null,
      problem: (value) => (value.startsWith('nowhere:') ? null : 'must be an address such as nowhere://host'),
    },
    NOWHERE_TABLE: {
      meaning: 'Name of the table.',
      secret: false,
      fallback: 'documents',
      problem: () => null,
    },
  },
  location: ['NOWHERE_URL', 'NOWHERE_TABLE'],
  place: ({ NOWHERE_URL, NOWHERE_TABLE }) => `${NOWHERE_URL}/${NOWHERE_TABLE}`,
  open: async ({ NOWHERE_URL }, collections, onProgress) => {
    onProgress({ collection: 'things', done: 2, total: 5 })
    onProgress({ collection: 'things', done: 5, total: 5 })
    if (NOWHERE_URL.includes('silent')) throw new Error(`no answer from ${NOWHERE_URL}`)
    return memoryDocumentStore(collections)
  },
})
const blobStore = declareBlobStore({
  variables: {},
  location: [],
  place: () => 'nowhere',
  open: async () => memoryBlobStore(),
})

const exported: Readonly<Record<string, unknown>> = {
  nowhere: { documentStore, blobStore },
  '@news/half': { documentStore: { ...documentStore, open: undefined, location: ['OTHER'] } },
  list: { documentStore: [] },
  other: { default: documentStore, make: 1 },
  taken: {
    documentStore: {
      ...documentStore,
      location: [],
      variables: {
        PORT: documentStore.variables.NOWHERE_URL,
        lower: {},
        NOWHERE_X: { meaning: '', secret: 1 },
      },
    },
  },
  shared: { blobStore: { ...blobStore, variables: documentStore.variables } },
  empty: { documentStore: { ...documentStore, open: async () => ({ get: () => null, close: () => null }) } },
}

const load = (environment: Readonly<Record<string, string>>) =>
  loadStorePackages(environment, async (name) => {
    const found = exported[name]
    if (found !== undefined) return found
    throw Object.assign(new Error(`Cannot find package '${name}' imported from here`), {
      code: 'ERR_MODULE_NOT_FOUND',
    })
  })

const refused = async (environment: Readonly<Record<string, string>>): Promise<readonly string[]> => {
  const loaded = await load(environment)
  if (E.isRight(loaded)) throw new Error('nothing is wrong with it')
  return loaded.left
}

const configured = async (environment: Readonly<Record<string, string>>) => {
  const loaded = await load(environment)
  if (E.isLeft(loaded)) throw new Error(loaded.left.join('\n'))
  return readConfiguration(environment, () => 'nowhere://from-a-file\n', loaded.right)
}

const rightOf = async (environment: Readonly<Record<string, string>>) => {
  const result = await configured(environment)
  if (E.isLeft(result)) throw new Error(result.left.join('\n'))
  return result.right
}

const guide = 'docs/write-an-adapter.md describes what a package exports'

describe('stores of packages', () => {
  it('are rejected if the package is not installed', async () => {
    expect(await refused({ STORE: 'package:absent' })).to.deep.equal([
      'STORE: the package absent can’t be loaded: it isn’t installed. Install it next to the service: npm install --no-save absent',
    ])
  })

  for (const [name, faults] of [
    ['other', 'it exports no documentStore, but default, make'],
    ['list', 'documentStore: it must be an object'],
    [
      '@news/half',
      'documentStore: location must be a list of names from variables; documentStore: open must be a function',
    ],
    [
      'taken',
      'documentStore: variables.PORT: the service reads a variable of this name itself; ' +
        'documentStore: variables.lower: a name has A-Z, 0-9 and underscore; ' +
        'documentStore: variables.NOWHERE_X.meaning must be a text; ' +
        'documentStore: variables.NOWHERE_X.secret must be true or false; ' +
        'documentStore: variables.NOWHERE_X.fallback must be a text or null; ' +
        'documentStore: variables.NOWHERE_X.problem must be a function',
    ],
  ] as const)
    it(`are rejected with what the package ${name} lacks`, async () => {
      expect(await refused({ STORE: `package:${name}` })).to.deep.equal([
        `STORE: the package ${name} can’t be used: ${faults}. ${guide}`,
      ])
    })

  it('are rejected if two packages have a variable in common', async () => {
    expect(await refused({ STORE: 'package:nowhere', BLOBS: 'package:shared' })).to.deep.equal([
      'NOWHERE_URL is a variable of both package:nowhere and package:shared: use only one of them',
      'NOWHERE_TABLE is a variable of both package:nowhere and package:shared: use only one of them',
    ])
  })

  it('have their variables checked like those of the service', async () => {
    expect(await configured({ STORE: 'package:nowhere' })).to.deep.equal(
      E.left(['NOWHERE_URL must be set where STORE is package:nowhere']),
    )
    expect(await configured({ STORE: 'package:nowhere', NOWHERE_URL: 'hidden-word' })).to.deep.equal(
      E.left(['NOWHERE_URL must be an address such as nowhere://host; its value is not']),
    )
  })

  it('read defaults, and secrets from files', async () => {
    const configuration = await rightOf({ STORE: 'package:nowhere', NOWHERE_URL_FILE: '/run/secrets/url' })
    expect(configuration.documentStore.location).to.deep.equal(['NOWHERE_URL', 'NOWHERE_TABLE'])
    expect(await configuration.documentStore.place(configuration)).to.equal(
      'package:nowhere, [hidden]/documents',
    )
  })

  it('open, documents and blobs of one package, and write the progress of a migration to the log', async () => {
    const configuration = await rightOf({
      STORE: 'package:nowhere',
      BLOBS: 'package:nowhere',
      NOWHERE_URL: 'nowhere://host',
    })
    const own = recordingLog()
    const documents = await configuration.documentStore.open(configuration, own, new WriteCounters())
    expect(own.entries().map(({ event, fields }) => [event, fields])).to.deep.equal([
      ['documents migrated', { collection: 'things', done: 5, total: 5 }],
    ])
    const blobs = await configuration.blobStore.open(configuration, log, new WriteCounters())
    expect(E.isRight(await documents.check()())).to.equal(true)
    expect(E.isRight(await blobs.check()())).to.equal(true)
    await documents.close()
    await blobs.close()
  })

  it('work as instances of classes', async () => {
    const loaded = await loadStorePackages({ BLOBS: 'package:classes' }, async () => ({
      blobStore: { ...blobStore, open: async () => Object.create(memoryBlobStore()) },
    }))
    if (E.isLeft(loaded)) throw new Error(loaded.left.join('\n'))
    const read = readConfiguration({ BLOBS: 'package:classes' }, () => '', loaded.right)
    if (E.isLeft(read)) throw new Error(read.left.join('\n'))
    const copied = { ...(await read.right.blobStore.open(read.right, log, new WriteCounters())) }
    expect(E.isRight(await copied.check()())).to.equal(true)
  })

  it('report why they cannot be opened, without secrets, and the variables to check', async () => {
    const messageOf = async (environment: Readonly<Record<string, string>>): Promise<string> => {
      const configuration = await rightOf(environment)
      return configuration.documentStore.open(configuration, log, new WriteCounters()).then(
        () => 'it opened',
        (error: unknown) => String(error),
      )
    }
    const NOWHERE_URL = 'nowhere://user:hidden-word@silent'
    expect(await messageOf({ STORE: 'package:nowhere', NOWHERE_URL })).to.equal(
      'Error: package:nowhere: no answer from [hidden] (see NOWHERE_URL, NOWHERE_TABLE)',
    )
    expect(await messageOf({ STORE: 'package:empty', NOWHERE_URL })).to.match(
      /package:empty: the document store lacks getRelated, find, findTexts, count, countTexts, write, snapshot, check \(see /,
    )
  })

  it('are left alone if the name is none of npm’s', async () => {
    expect(await load({ STORE: 'package:../there', BLOBS: 'package:' })).to.deep.equal(
      E.right({ documents: null, blobs: null }),
    )
    const result = readConfiguration({ STORE: 'package:../there' }, () => '')
    expect(E.isLeft(result) && result.left[0]).to.match(
      /^STORE must be one of .*«package:\.\.\/there» is not$/,
    )
  })
})

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { readObject } from '@publishing-service/application'
import { resourceOf, resources, section, type Resource } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { JsonObject } from '@publishing-service/domain/json'
import type { ImportedObject } from '@publishing-service/domain/imports'
import { readSample, type Sample } from '@publishing-service/sample'
import { asService } from './as-service.js'
import { createContainer } from './container.js'
import { seedSample } from './seed-sample.js'
import { readConfiguration } from './read-configuration.js'
import { stepOrThrow } from './error-messages.js'
import { tokens } from './tokens.js'

const space = 'a0d4e177-1cdc-4d78-9672-b29388259cf9'

type Stage = {
  readonly plant: (sample: Sample) => Promise<void>
  readonly read: (resource: Resource, id: string) => Promise<JsonObject>
  /** The number of writes of each object. */
  readonly versions: () => Promise<readonly (readonly [string, number])[]>
}

/** An empty instance in memory. */
const onStage = async (test: (stage: Stage) => Promise<void>): Promise<void> => {
  const configuration = readConfiguration({ STORE: 'memory', BLOBS: 'memory', LOG_LEVEL: 'error' }, () => '')
  if (E.isLeft(configuration)) throw new Error(configuration.left.join('\n'))
  const container = createContainer(configuration.right)
  try {
    const useCases = await container.getAsync(tokens.useCases)
    const documents = await container.getAsync(tokens.documents)
    const run = asService(useCases, 1)
    const { settings } = await readSample()
    await stepOrThrow('creating an instance', useCases.administerInstances.create({ number: 1, ...settings }))
    const versionsIn = async ({ collection }: Resource): Promise<readonly (readonly [string, number])[]> => {
      const query = { where: [], order: [], skip: 0, limit: 1000, detail: 'light' } as const
      const found = await stepOrThrow(`reading ${collection}`, documents.find(collection, 1, query))
      return found.documents.map(({ id, version }) => [`${collection}/${id}`, version])
    }
    await test({
      plant: (sample) => seedSample(run, sample),
      read: (resource, id) => stepOrThrow(`reading ${id}`, run(readObject(resource), { id, parameters: {} })),
      versions: async () => (await Promise.all(resources.map(versionsIn))).flat(),
    })
  } finally {
    await container.unbindAll()
  }
}

/** The sample with other objects in a collection. */
const changed = (
  sample: Sample,
  collection: string,
  change: (object: ImportedObject) => ImportedObject,
): Sample => ({
  ...sample,
  objects: sample.objects.map((object) => (object.collection === collection ? change(object) : object)),
})

const refusalOf = async (plant: Stage['plant'], sample: Sample): Promise<string> => {
  try {
    await plant(sample)
    return 'planted'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('seedSample', () => {
  it('creates every object, and changes nothing when repeated', () =>
    onStage(async ({ plant, read, versions }) => {
      const sample = await readSample()
      await plant(sample)
      for (const { collection, id } of sample.objects) {
        const resource = resourceOf(collection)
        if (resource === undefined) throw new Error(collection)
        expect((await read(resource, id))['uuid']).to.equal(id)
      }
      const before = await versions()
      await plant(sample)
      expect(await versions()).to.deep.equal(before)
    }))

  it('writes later attributes, which a start that follows an interrupted one does not reset', () =>
    onStage(async ({ plant, read }) => {
      const sample = await readSample()
      const lead = async (): Promise<unknown> => (await read(section, space))['content_uuid']
      await plant(sample)
      expect(await lead()).to.equal(sample.introduction)
      const interrupted = changed(sample, 'blogs', (each) => ({ ...each, id: space, attributes: {} }))
      expect(await refusalOf(plant, interrupted)).to.match(/blogs .*: title /)
      expect(await lead()).to.equal(sample.introduction)
    }))

  for (const [what, change] of [
    ['collection', (each) => ({ ...each, collection: 'filess' })],
    ['list of members', (each) => ({ ...each, members: [space] })],
    ['list of stories', (each) => ({ ...each, stories: { side: {} } })],
  ] as const satisfies readonly (readonly [string, (each: ImportedObject) => ImportedObject])[])
    it(`rejects a ${what} that the service does not have`, () =>
      onStage(async ({ plant }) => {
        const refusal = await refusalOf(plant, changed(await readSample(), 'files', change))
        expect(refusal).to.match(/^The sample publication is wrong: files?/)
      }))
})

/** Writes the sample publication as an import, each object under a fixed UUID. */
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attempt, runImport, type SampleData } from '@publishing-service/application'
import { E } from '@publishing-service/domain/fp'
import { importRecord, type ImportSource } from '@publishing-service/domain/imports'
import type { Checksum } from '@publishing-service/ports'
import type { Sample } from '@publishing-service/sample'
import type { RunOperation } from './as-service.js'
import { stepOrThrow } from './error-messages.js'

/** The data that seeding the sample uploads to an instance. */
export const sampleData = (
  { objects, folder }: Sample,
  instance: number,
  checksum: () => Checksum,
): Promise<readonly SampleData[]> =>
  Promise.all(
    objects
      .flatMap(({ id, upload }) => (upload === null ? [] : [{ id, path: join(folder, upload.address) }]))
      .map(async ({ id, path }) => {
        const data = await readFile(path)
        const sum = checksum()
        sum.add(data)
        return { instance, fileId: id, bytes: data.length, sha256: sum.value() }
      }),
  )

const sourceOf = ({ objects }: Sample): ImportSource => ({
  total: objects.length,
  async *records() {
    for (const object of objects)
      yield importRecord({
        origin: { source: `${object.collection} ${object.id}`, title: '', line: null },
        object,
      })
  },
})

const importSample = async (run: RunOperation, sample: Sample): Promise<void> => {
  const results = runImport(run, sourceOf(sample), {
    whereExists: 'skip',
    openMedia: async ({ address, type }) =>
      E.right({
        body: createReadStream(join(sample.folder, address)),
        type: type ?? undefined,
        length: undefined,
      }),
  })
  for await (const { origin, notes, faults } of results) {
    const problems = [
      ...faults.map(({ path, message }) => `${path} ${message}`),
      ...notes.map(({ text }) => text),
    ]
    if (problems.length > 0)
      throw new Error(`The sample publication is wrong: ${origin.source}: ${problems.join('; ')}`)
  }
}

/** Creates the sample publication in an instance; repeating it changes nothing. Throws an Error. */
export const seedSample = (run: RunOperation, sample: Sample): Promise<void> =>
  stepOrThrow('writing the sample', () => attempt(() => importSample(run, sample)))

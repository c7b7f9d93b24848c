/** First starts that are killed before they are complete. two-processes.test tests concurrent ones. */
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { E } from '@publishing-service/domain/fp'
import { createApi } from '../harness/http-client.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'
import { runService, withDirectory } from './program.js'
import { tokenFor, type Key } from './token.js'

/** Checks the sample as a client sees it: counts of its collections, and the data of its photographs. */
const expectSample = async ({ url }: TestService, key: Key): Promise<void> => {
  const api = createApi(`${url}/1`, await tokenFor(url, key))
  const rows = async (path: string) =>
    (await api.get(path)).object['items'] as readonly (readonly unknown[])[]
  expect(await rows('/sections?fields=lead_story_url')).to.have.length(5)
  expect(await rows('/content?state=published')).to.have.length(11)
  const files = await rows('/files?fields=byte_size-filename-credits')
  expect(files).to.have.length(6)
  for (const [size, filename, credits] of files) {
    expect(size, String(filename)).to.be.greaterThan(10_000)
    expect(credits, String(filename)).to.match(/NASA|SpaceX|CC0/)
  }
  const slot = '/content/9e1cb12d-9d6a-4a93-8a49-12ef6faefa68/slots/d939cb21-058f-4b2d-b679-5f052676aaae'
  expect((await api.get(slot)).object).to.deep.include({ display: 'gallery' })
  expect(await rows(`${slot}/media`)).to.have.length(3)
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** Milliseconds between the creation of the database and the kill. */
const delays = [0, 25, 50, 75] as const
const sampled = 1

describe('first starts', function () {
  this.timeout(60_000)

  it(`that are killed are completed by the next one${sampleTitle(sampled, delays.length)}`, () =>
    withDirectory(async (DATA_DIR) => {
      const documents = join(DATA_DIR, 'documents.sqlite')
      for (const delay of sampleFrom(delays, sampled)) {
        const { child } = runService({ DATA_DIR })
        const ended = once(child, 'exit')
        // No event marks a half-created sample, so the progress at each kill is random.
        while (!(await exists(documents))) await setTimeout(2)
        await setTimeout(delay)
        child.kill('SIGKILL')
        await ended
      }
      const service = await startTestService({ DATA_DIR })
      try {
        const { issued } = service.bootstrapped
        if (issued === null) throw new Error('no key')
        await expectSample(service, issued)
        const { administerInstances, administerKeys } = service.useCases
        expect(await administerInstances.list()()).to.deep.equal(
          E.right([
            {
              id: 1,
              settings: {
                title: 'The Long Exposure',
                timezone: 'Europe/Vienna',
                language: 'en',
                directory_addon: true,
                public_downloads: false,
                prepare_images: false,
                public_feeds: false,
                public_reading: false,
                public_comments: false,
                shared_max_age: 60,
                website_url: 'https://www.example.org',
                preview_url: null,
                hub_url: null,
                robots_disallow: [],
              },
            },
          ]),
        )
        expect(await administerKeys.list()())
          .to.have.property('right')
          .with.length(1)
      } finally {
        await service.stop()
      }
    }))
})

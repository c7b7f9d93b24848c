/** First starts that are killed before they are complete. two-processes.test tests concurrent ones. */
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { startCommandSeries, type CommandSeries } from '../administration/command-series.js'
import { createApi } from '../harness/http-client.js'
import { runService, launchService, withDirectory, type RunningService } from './program.js'
import { tokenFor, readKeyFile, type Key } from './token.js'

/** Checks the sample as a client sees it: counts of its collections, and the data of its photographs. */
const expectSample = async ({ url }: RunningService, key: Key): Promise<void> => {
  const api = createApi(`${url}/1`, await tokenFor(url, key))
  const rows = async (path: string) =>
    (await api.get(path)).object['items'] as readonly (readonly unknown[])[]
  expect(await rows('/sections?fields=lead_story_url')).to.have.length(5)
  expect(await rows('/content?state=published')).to.have.length(10)
  const files = await rows('/files?fields=byte_size-filename-credits')
  expect(files).to.have.length(5)
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
const sampled = 2

describe('first starts', function () {
  this.timeout(60_000)
  let commands: CommandSeries
  before(() => {
    commands = startCommandSeries()
  })
  after(() => commands.end())

  const listed = async (DATA_DIR: string, what: 'instance' | 'key'): Promise<readonly unknown[]> =>
    JSON.parse((await commands.run({ DATA_DIR }, what, 'list', '--json')).out) as readonly unknown[]

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
      const service = await launchService({ DATA_DIR })
      await expectSample(service, await readKeyFile(service.out()))
      expect(await listed(DATA_DIR, 'instance')).to.deep.include.members([
        {
          id: 1,
          title: 'The Long Exposure',
          timezone: 'Europe/Vienna',
          language: 'en',
          directory_addon: true,
          public_downloads: false,
          public_feeds: false,
          website_url: 'https://www.example.org',
        },
      ])
      expect(await listed(DATA_DIR, 'key')).to.have.length(1)
      await service.stop()
    }))
})

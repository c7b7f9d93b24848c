/** Runs the shell examples of README and of the documents for beginners. Needs bash and curl. */
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { blocksOf, readDocument } from './documents.js'
import { readerDirectory } from './reader-directory.js'
import { shellExamplesOf, matchesOutput, type ShellExample } from './shell-examples.js'
import { onTerminal, runBlocks, startByCommand } from './shell.js'

/** The addresses in documents, of the service and of a website. */
const shownUrl = 'http://localhost:8080'
const shownWebsite = 'http://127.0.0.1:8081'

/** An address at which nothing listens. */
const freeAddress = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

const expectShown = (path: string, { line, printed }: ShellExample, actual: string): void => {
  if (printed === null) return
  expect(
    matchesOutput(actual, printed),
    `${path}:${line} shows\n${printed}\nbut it printed\n${actual}`,
  ).to.equal(true)
}

const startOf = (examples: readonly ShellExample[]): ShellExample => {
  const found = examples.find(({ commands }) => commands.endsWith('npm start'))
  if (found === undefined) throw new Error('no block starts the service')
  return found
}

describe('shell examples in documents', function () {
  this.timeout(60_000)

  it('README: the first start and the commands that it prints', async () => {
    const path = 'README.md'
    const examples = shellExamplesOf(blocksOf(readDocument(path)))
    const start = startOf(examples)
    const reader = await readerDirectory()
    const service = await startByCommand(onTerminal('npm start'), { directory: reader.path })
    try {
      expectShown(path, start, service.welcome.replaceAll(service.url, shownUrl))
      // On a terminal, the secret of the first key is printed, and written to no file.
      const [, secret = ''] = /^ {2}API secret {2}([\w-]{43,})$/m.exec(service.welcome) ?? []
      expect(secret, service.welcome).to.not.equal('')
      expect(service.welcome).to.include(`api_secret=${secret}"`)
      expect(await readdir(join(reader.path, 'data'))).to.not.include('first-key.env')
      const pasted = examples[examples.indexOf(start) + 1]
      if (pasted === undefined) throw new Error('README shows nothing of the pasted commands')
      const block = service.welcome.slice(service.welcome.indexOf('SERVICE='))
      const [, printed = ''] = await runBlocks([block, pasted.commands], { directory: reader.path })
      expectShown(path, pasted, printed.replaceAll(service.url, shownUrl))
    } finally {
      await service.stop()
      await reader.remove()
    }
  })

  for (const path of ['docs/get-started.md', 'docs/build-a-website.md'])
    it(`${path}: every command after the start of the service`, async () => {
      const examples = shellExamplesOf(blocksOf(readDocument(path)))
      const start = startOf(examples)
      const rest = examples.filter((each) => each !== start)
      expect(rest.length).to.be.greaterThan(5)
      const reader = await readerDirectory()
      const service = await startByCommand(start.commands, { directory: reader.path })
      try {
        expectShown(path, start, service.welcome.replaceAll(service.url, shownUrl))
        const website = await freeAddress()
        const commands = rest.map((each) =>
          each.commands.replaceAll(shownUrl, service.url).replaceAll(shownWebsite, website),
        )
        const printed = await runBlocks(commands, { directory: reader.path })
        for (const [index, example] of rest.entries())
          expectShown(
            path,
            example,
            (printed[index] ?? '').replaceAll(service.url, shownUrl).replaceAll(website, shownWebsite),
          )
      } finally {
        await service.stop()
        await reader.remove()
      }
    })
})

/**
 * Clients in TypeScript, Python, Go and Java, generated from the OpenAPI document, compiled as a whole, and run: each lists
 * and reads content, changes its title, and uploads the data of a file. Those of openapi-generator also create, and read a
 * page of the website, versions and changes; they change the title by a draft. The programs are in test/clients. The client of this project, whose
 * types come from openapi-typescript, has tests of its own.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { root } from '../documentation/documents.js'
import { runScript } from '../documentation/shell.js'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import { createPublication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const generators = [
  'hey-api',
  'openapi-python-client',
  'oapi-codegen',
  'openapi-generator-go',
  'openapi-generator-python',
  'openapi-generator-typescript-fetch',
]

/** How many of them a run tries: each is installed, and compiles thousands of lines. */
const sampled = 1

/** They need Maven and a JDK, so only runs of every case try them. */
const generatorsOnMaven = sampleFrom(['openapi-generator-java'], 0)

const clients = join(root, 'test/clients')

describe(`clients that are generated from the OpenAPI document${sampleTitle(sampled, generators.length)}`, function () {
  this.timeout(600_000)
  let service: TestService
  let folder: string
  before(async () => {
    service = await startTestService()
    folder = await mkdtemp(join(tmpdir(), 'generated-clients-'))
    const document = await fetch(`${service.url}/openapi.json`)
    await writeFile(join(folder, 'openapi.json'), await document.text())
  })
  after(async () => {
    await rm(folder, { recursive: true, force: true })
    await service.stop()
  })

  for (const generator of [...sampleFrom(generators, sampled), ...generatorsOnMaven])
    it(`of ${generator} compile, list, read, change and upload`, async () => {
      const home = await createPublication(service)
      const section = uuidOf(await home.admin.post('/sections', { title: 'Sport', urlname: 'sport' }))
      const content = uuidOf(
        await home.editor.post('/content', { content_type: 'article', title: 'A title', urlname: generator }),
      )
      const file = uuidOf(await home.editor.post('/files', { title: 'A file', filename: 'file.txt' }))
      const title = `Changed by ${generator}`
      const directory = join(folder, generator)
      await cp(join(clients, generator), directory, { recursive: true })
      await runScript('bash run.sh', {
        directory,
        environment: {
          DOCUMENT: join(folder, 'openapi.json'),
          SERVICE: service.url,
          TOKEN: home.editor.token ?? '',
          INSTANCE: new URL(home.url).pathname.slice(1),
          CONTENT: content,
          FILE: file,
          SECTION: section,
          TITLE: title,
          CLIENTS: clients,
          TOOLS: join(root, 'node_modules/.bin'),
        },
      })
      expect(expectOk(await home.editor.get(`/content/${content}`)).object).to.include({ title })
      const { download_url: address } = expectOk(await home.editor.get(`/files/${file}`)).object
      const path = new URL(String(address)).pathname.replace(/^\/\d+/, '')
      expect(expectOk(await home.editor.get(path)).bytes.toString()).to.equal(title)
    })
})

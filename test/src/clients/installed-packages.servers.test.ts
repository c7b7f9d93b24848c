/**
 * Packages as others install them: packed, and installed from the tarballs by npm in an empty folder, with their dependencies from
 * the registry (docs/clients.md#typescript). Those for authors of stores are installed with their guide. All are checked in
 * test/src/release.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { documentationPages } from '@publishing-service/http-contract'
import { runScript } from '../documentation/shell.js'
import { createPublication } from '../harness/publication.js'
import { startTestService } from '../harness/start-test-service.js'
import { packPackages } from '../packages/pack.js'

const listSections = `
import { createClient, htmlAttributes, picture, renderBody } from '@publishing-service/client'

const { SERVICE: service = '', TOKEN = '', INSTANCE } = process.env
const requestToken = async () => ({ access_token: TOKEN, token_type: 'bearer' as const, expires_in: 60, items: [] })
const client = createClient({ service, requestToken })
const query = { fields: ['title', 'parent_uuid'] as const }
for await (const { title } of client.rows('/{iid}/sections', { path: { iid: Number(INSTANCE) }, query })) {
  const name: string = title
  console.log(name)
}
const page = await client.webPage({ iid: Number(INSTANCE), path: '/sport/' })
if (page?.kind === 'section') {
  const image = page.feature_image
  console.log(page.seo.title, image && htmlAttributes(picture(image, { sizes: '100vw' })))
} else if (page?.kind === 'content') console.log(renderBody(page.object.content, page.media))
`

describe('packages that are installed from tarballs', function () {
  this.timeout(300_000)
  let folder: string
  let tarballs: string
  /** An empty folder with packages of this repository, and with tools of the registry in the versions used here. */
  let directory: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'installed-packages-'))
    tarballs = join(folder, 'tarballs')
    directory = join(folder, 'installed')
    await Promise.all([mkdir(tarballs), mkdir(directory)])
    await packPackages(tarballs, ['client', 'reference-page'])
    await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    const packages = '../tarballs/publishing-service-client-*.tgz typescript@5.9.3 @types/node@20'
    await runScript(`npm install --no-audit --no-fund --prefer-offline ${packages}`, { directory })
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('include the pages of the documentation as they were built', async () => {
    const listed = await runScript('tar -tzf publishing-service-reference-page-*.tgz', {
      directory: tarballs,
    })
    for (const name of Object.keys(documentationPages))
      expect(listed).to.include(`package/dist/web/${name}.html`)
    expect(listed).to.match(/web\/assets\/[\w-]+\/swagger-ui-bundle\.js/)
  })

  it('include a client that compiles strictly and reads from a service', async () => {
    const service = await startTestService()
    try {
      const home = await createPublication(service)
      await home.admin.post('/sections', { title: 'Sport', urlname: 'sport' })
      await writeFile(join(directory, 'list-sections.ts'), listSections)
      const environment = {
        SERVICE: service.url,
        TOKEN: home.reader.token ?? '',
        INSTANCE: String(home.number),
      }
      const compile = 'npx tsc --strict --exactOptionalPropertyTypes --module nodenext --target es2023'
      const script = `${compile} list-sections.ts && node list-sections.js`
      expect(await runScript(script, { directory, environment })).to.equal('Sport\nSport null\n')
    } finally {
      await service.stop()
    }
  })
})

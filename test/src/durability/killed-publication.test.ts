/** A process is killed after the publication of a draft, before its response (docs/behaviour/drafts.md#publication). */
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { after, describe, it } from 'mocha'
import { expectError, expectOk, objectsOf, rowsOf, uuidOf } from '../harness/expect-response.js'
import { makeFilledFolder } from './data-folder.js'
import { adminApi, killRemaining, startServiceProcess } from './service-process.js'

describe('a process that is killed before it responds to a publication', function () {
  this.timeout(60_000)
  after(killRemaining)

  it('leaves the object published once, and no draft', async () => {
    const folder = await makeFilledFolder()
    const program = fileURLToPath(new URL('killed-publication-process.js', import.meta.url))
    const killed = await adminApi(await startServiceProcess(folder.path, {}, program))
    const body = { content_type: 'article', title: 'One', urlname: 'killed', state: 'published' }
    const id = uuidOf(await killed.post('/content', body))
    const path = `/content/${id}`
    expectOk(await killed.patch(`${path}/draft`, { title: 'Two' }))
    const { next } = expectOk(await killed.get('/changes?since=now')).object
    const publishing = await killed.post(`${path}/draft/publish`, {}).catch(() => null)
    expect(publishing, 'the connection breaks').to.equal(null)

    const service = await startServiceProcess(folder.path)
    const api = await adminApi(service)
    expectError(await api.post(`${path}/draft/publish`, {}), 404, 'not_found')
    expect(expectOk(await api.get(path)).object).to.include({ title: 'Two', has_draft: false })
    const versions = objectsOf(await api.get(`${path}/versions`))
    expect(versions.map(({ operation }) => operation)).to.deep.equal(['publishDraft', 'createObject'])
    const changes = objectsOf(await api.get(`/changes?since=${String(next)}`))
    expect(changes.map(({ kind, uuid }) => [kind, uuid])).to.deep.equal([['updated', id]])
    const entries = rowsOf(await api.get(`/audit?fields=object&operations=publishDraft`))
    expect(entries).to.deep.equal([[id]])
    expect(service.defects()).to.deep.equal([])
    await service.stop()
    await folder.remove()
  })
})

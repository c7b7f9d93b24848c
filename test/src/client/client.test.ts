/** The client package with a started service: token, rows, writes, uploads and downloads. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import {
  createClient,
  dataOf,
  picture,
  renderBody,
  ServiceError,
  type Client,
} from '@publishing-service/client'
import { pngOf, pngSize } from '../harness/small-files.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const credentials = { key: 'a-client', secret: 'a-secret-of-the-client' } as const

describe('the client package', function () {
  this.timeout(60_000)
  let service: TestService
  let client: Client
  let iid: number

  before(async () => {
    service = await startTestService({
      BOOTSTRAP_API_KEY: credentials.key,
      BOOTSTRAP_API_SECRET: credentials.secret,
    })
    client = createClient({ service: service.url, ...credentials })
    iid = (await client.token()).items[0]?.id ?? 0
  })
  after(() => service.stop())

  const createFile = async (): Promise<string> => {
    const body = { title: 'A picture', filename: 'picture.png' }
    return dataOf(await client.POST('/{iid}/files', { params: { path: { iid } }, body })).uuid
  }

  it('reads the instances of its key', async () => {
    const { items } = await client.token()
    expect(items.map(({ id, roles }) => ({ id, roles }))).to.deep.equal([{ id: 1, roles: ['admin'] }])
  })

  it('yields the rows of all pages', async () => {
    const rowsOf = async (rpp: number) => {
      const titles: (string | null)[] = []
      for await (const { title } of client.rows('/{iid}/content', {
        path: { iid },
        query: { fields: ['title', 'issued'], ctypes: ['articles'], order: ['issued.desc'], rpp },
      }))
        titles.push(title)
      return titles
    }
    const titles = await rowsOf(100)
    expect(titles).to.have.lengthOf(4)
    expect(titles[0]).to.equal('Three Photographs of Far Away')
    expect(await rowsOf(1)).to.deep.equal(titles)
  })

  it('reads a page with its pictures and its body, and the draft of a preview', async () => {
    const path = '/space/three-photographs-of-far-away/'
    const read = async (reader: Client) => {
      const page = await reader.webPage({ iid, path })
      if (page?.kind !== 'content') throw new Error(`${path} is ${page?.kind}`)
      return page
    }
    const { object, media, header_image: header, teaser_image: teaser } = await read(client)
    const body = renderBody(object.content, media, { sizes: '40rem' })
    expect(body.match(/<figure><img [^>]*sizes="40rem" width="\d+" height="\d+"/g)).to.have.length.above(1)
    expect(body).not.to.include('<slot')
    const image = header ?? teaser
    if (image === null) throw new Error('the story has no image')
    const { src, ...shown } = picture(image, { sizes: '20rem', ratio: 1 })
    expect(shown).to.include({ width: shown.height })
    const { headers } = await fetch(src, {
      headers: { Accept: 'image/webp', Authorization: `Bearer ${(await client.token()).access_token}` },
    })
    expect(headers.get('Content-Type')).to.equal('image/webp')

    const params = { path: { iid, uuid: object.uuid } }
    const change = { title: 'A better title' }
    dataOf(await client.PATCH('/{iid}/content/{uuid}/draft', { params, body: change }))
    const { token } = dataOf(await client.POST('/{iid}/content/{uuid}/preview', { params, body: {} }))
    expect((await read(client.preview(token))).object.title).to.equal('A better title')
    expect((await read(client)).object.title).to.equal(object.title)
    expect(await client.webPage({ iid, path: '/nothing/' })).to.equal(null)
  })

  it('follows changes from a cursor', async () => {
    const stop = new AbortController()
    const followed: string[] = []
    for await (const { isStart, changes } of client.watch({
      iid,
      types: ['sections'],
      signal: stop.signal,
    })) {
      const section = { title: 'Followed', urlname: 'followed' }
      if (isStart) dataOf(await client.POST('/{iid}/sections', { params: { path: { iid } }, body: section }))
      followed.push(...changes.map(({ kind, type }) => `${type} ${kind}`))
      if (followed.length > 0) stop.abort()
    }
    expect(followed).to.deep.equal(['sections created'])
  })

  it('creates an article with an uploaded image, and downloads it scaled down', async () => {
    const uuid = await createFile()
    const data = new Blob([pngOf(800, 600)], { type: 'image/png' })
    const { download_url: address } = await client.upload({ iid, uuid, data })
    const article = {
      content_type: 'article',
      title: 'Written by a client',
      urlname: 'written-by-a-client',
      teaser_image_uuid: uuid,
    } as const
    const created = dataOf(await client.POST('/{iid}/content', { params: { path: { iid } }, body: article }))
    const path = { iid, uuid: created.uuid }
    const read = dataOf(await client.GET('/{iid}/content/{uuid}', { params: { path } }))
    expect(read.title).to.equal('Written by a client')
    expect(read).to.have.property('teaser_image_url', address)

    const upload = Number(address.split('/').at(-1))
    const thumbnail = dataOf(
      await client.GET('/{iid}/files/{uuid}/download/{upload}', {
        params: { path: { iid, uuid, upload }, query: { w: 200, h: 200 } },
        parseAs: 'arrayBuffer',
      }),
    )
    expect(pngSize(new Uint8Array(thumbnail))).to.deep.equal({ width: 200, height: 150 })
  })

  it('streams an upload with progress, also after its token was rejected', async () => {
    const uuid = await createFile()
    const { access_token: valid, ...rest } = await client.token()
    const tokens = ['not-a-token', valid]
    const requestToken = () => Promise.resolve({ ...rest, access_token: tokens.shift() ?? '' })
    const data = new Blob([Buffer.alloc(3_000_000)], { type: 'application/octet-stream' })
    const sent: number[] = []
    await createClient({ service: service.url, requestToken }).upload({
      iid,
      uuid,
      data,
      onProgress: ({ sent: bytes }) => sent.push(bytes),
    })
    expect(tokens).to.deep.equal([])
    expect(sent.length).to.be.greaterThan(2)
    expect(sent.at(-1)).to.equal(data.size)
    const file = dataOf(await client.GET('/{iid}/files/{uuid}', { params: { path: { iid, uuid } } }))
    expect(file).to.include({ byte_size: data.size, mimetype: 'application/octet-stream' })
  })

  it('throws the faults of a request', async () => {
    const body = { title: '', urlname: 'x'.repeat(256) }
    const response = await client.POST('/{iid}/sections', { params: { path: { iid } }, body })
    expect(() => dataOf(response))
      .to.throw(ServiceError)
      .with.property('faults')
      .that.has.keys('title', 'urlname')
  })

  it('is aborted by a signal', async () => {
    const error = await client
      .upload({ iid, uuid: 'any', data: new Blob(['x']), signal: AbortSignal.abort() })
      .catch((reason: unknown) => reason)
    expect(error).to.have.property('name', 'AbortError')
  })
})

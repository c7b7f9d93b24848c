import { expect } from 'chai'
import { describe, it } from 'mocha'
import { clientOf, json, problem } from './fake-service.test-data.js'
import { includedIn } from './included.js'
import { dataOf, ServiceError } from './service-error.js'

const settings = (client: ReturnType<typeof clientOf>['client'], signal?: AbortSignal) =>
  client.GET('/{iid}/settings', { params: { path: { iid: 1 } }, ...(signal && { signal }) })

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

/** Handles the first requests with these responses, and all others with an empty object. */
const first = (...responses: readonly Response[]) => {
  const left = [...responses]
  return () => left.shift() ?? json({})
}

describe('a client', () => {
  it('requests one token for concurrent requests, and sends it', async () => {
    const sent: (string | null)[] = []
    const { client, requests } = clientOf(({ headers }) => {
      sent.push(headers.get('Authorization'))
      return json({})
    })
    await Promise.all([settings(client), settings(client)])
    await settings(client)
    expect(requests.filter((each) => each === 'POST /oauth/token')).to.have.lengthOf(1)
    expect(sent).to.deep.equal(['Bearer token-1', 'Bearer token-1', 'Bearer token-1'])
  })

  it('requests a new token on 401, once', async () => {
    const { client, requests } = clientOf(({ headers }) =>
      headers.get('Authorization') === 'Bearer token-1'
        ? problem(401, 'invalid_token')
        : json({ title: 'A' }),
    )
    expect(dataOf(await settings(client))).to.deep.equal({ title: 'A' })
    expect(requests).to.have.lengthOf(4)
    const rejected = clientOf(() => problem(401, 'invalid_token'))
    expect((await settings(rejected.client)).response.status).to.equal(401)
    expect(rejected.requests).to.have.lengthOf(4)
  })

  it('uses tokens of a function instead of a key', async () => {
    const token = { access_token: 'mine', token_type: 'bearer', expires_in: 60, items: [] } as const
    const { client, requests } = clientOf(({ headers }) => json({ title: headers.get('Authorization') }), {
      credentials: { requestToken: () => Promise.resolve({ ...token, items: [] }) },
    })
    expect(dataOf(await settings(client))).to.deep.equal({ title: 'Bearer mine' })
    expect(requests).to.deep.equal(['GET /1/settings'])
  })

  it('uses the session of the browser, and waits for a new sign-in, once for concurrent requests', async () => {
    let isSignedIn = false
    let asked = 0
    const sent: (string | null)[] = []
    const { client, requests } = clientOf(
      ({ headers }) => {
        sent.push(headers.get('Authorization'))
        return isSignedIn ? json({}) : problem(401, 'invalid_token')
      },
      {
        credentials: {
          signInAgain: async () => {
            asked += 1
            await Promise.resolve()
            isSignedIn = true
          },
        },
      },
    )
    const responses = await Promise.all([settings(client), settings(client)])
    expect(responses.map(({ response }) => response.status)).to.deep.equal([200, 200])
    await settings(client)
    expect(asked).to.equal(1)
    expect(new Set(sent)).to.deep.equal(new Set(['Session']))
    expect(requests).to.have.lengthOf(5)
    const refused = clientOf(first(problem(401, 'invalid_token')), {
      credentials: { signInAgain: () => Promise.reject(new Error('signed out')) },
    })
    expect(await failureOf(settings(refused.client))).to.have.property('message', 'signed out')
    expect((await settings(refused.client)).response.status).to.equal(200)
  })

  it('reads without a token if it has no key', async () => {
    const { client, requests } = clientOf(({ headers }) => json({ title: headers.get('Authorization') }), {
      credentials: {},
    })
    expect(dataOf(await settings(client))).to.deep.equal({ title: null })
    expect(requests).to.deep.equal(['GET /1/settings'])
    expect(await failureOf(client.token())).to.be.instanceOf(Error)
  })

  it('makes a client of a preview, which sends its token with every request', async () => {
    const { client, requests } = clientOf(({ headers }) => json({ title: headers.get('Authorization') }))
    const preview = client.preview('a-preview')
    expect(dataOf(await settings(preview))).to.deep.equal({ title: 'Bearer a-preview' })
    expect(await preview.webPage({ iid: 1, path: '/' })).to.deep.equal({ title: 'Bearer a-preview' })
    expect(requests).to.deep.equal(['GET /1/settings', 'GET /1/page?path=%2F'])
  })

  it('ends its token at the service, and requests another one when it is used again', async () => {
    const sent: (string | null)[] = []
    const { client, requests } = clientOf(async (request) => {
      if (request.method === 'POST') sent.push(await request.text())
      return json({})
    })
    await client.signOut()
    expect(requests).to.deep.equal([])
    await settings(client)
    await client.signOut()
    await client.signOut()
    await settings(client)
    expect(sent).to.deep.equal(['token=token-1'])
    expect(requests).to.deep.equal([
      'POST /oauth/token',
      'GET /1/settings',
      'POST /oauth/revoke',
      'POST /oauth/token',
      'GET /1/settings',
    ])
    const failing = clientOf(first(json({}), problem(503, 'unavailable')), { retries: 0 }).client
    await settings(failing)
    expect(await failureOf(failing.signOut())).to.be.instanceOf(ServiceError)
  })

  it('repeats requests on 429 and 503, up to the limit', async () => {
    const wait = { 'Retry-After': '0' }
    const { client, requests } = clientOf(
      first(problem(429, 'too_many_requests', wait), problem(503, 'unavailable', wait)),
    )
    expect((await settings(client)).response.status).to.equal(200)
    expect(requests).to.have.lengthOf(4)
    const busy = clientOf(() => problem(503, 'unavailable', wait), { retries: 2 })
    expect((await settings(busy.client)).response.status).to.equal(503)
    expect(busy.requests).to.have.lengthOf(4)
  })

  it('repeats a POST on 429 with its body, but not on 503', async () => {
    const wait = { 'Retry-After': '0' }
    const bodies: unknown[] = []
    const responses = first(problem(429, 'too_many_requests', wait), problem(503, 'unavailable', wait))
    const { client } = clientOf(async (request) => {
      bodies.push(await request.json())
      return responses()
    })
    const file = { title: 'A picture', filename: 'a.png' }
    const { response } = await client.POST('/{iid}/files', { params: { path: { iid: 1 } }, body: file })
    expect(response.status).to.equal(503)
    expect(bodies).to.deep.equal([file, file])
  })

  it('does not wait for a Retry-After that is too long', async () => {
    const { client } = clientOf(() => problem(503, 'unavailable', { 'Retry-After': '86400' }))
    expect((await settings(client)).response.status).to.equal(503)
  })

  it('stops waiting if the signal is aborted', async () => {
    const { client } = clientOf(() => problem(429, 'too_many_requests', { 'Retry-After': '60' }))
    const error = await failureOf(settings(client, AbortSignal.timeout(20)))
    expect(error).to.have.property('name', 'TimeoutError')
  })

  it('requests an address that it has no types for, with a token, and repeats it', async () => {
    const respond = first(problem(503, 'too_busy', { 'Retry-After': '0' }), json({ uuid: 'a' }))
    const sent: (string | null)[] = []
    const { client, requests } = clientOf((request) => {
      sent.push(request.headers.get('Authorization'))
      return respond()
    })
    const response = await client.fetch('/1/announcements/a?fields=title', { method: 'PATCH', body: '{}' })
    expect(await response.json()).to.deep.equal({ uuid: 'a' })
    const change = 'PATCH /1/announcements/a?fields=title'
    expect(requests).to.deep.equal(['POST /oauth/token', change, change])
    expect(sent).to.deep.equal(['Bearer token-1', 'Bearer token-1'])
  })

  it('writes the query of such an address like those that it has types for', async () => {
    const { client, requests } = clientOf(() => json({}))
    const query = { fields: ['title', 'a&b'], page: 2, order: null, tags: [], q: 'é ü' }
    await client.fetch('/1/announcements', { query })
    expect(requests.at(-1)).to.equal('GET /1/announcements?fields=title,a%26b&page=2&q=%C3%A9%20%C3%BC')
  })

  it('throws what an error response states', async () => {
    const { client } = clientOf(() => problem(404, 'not_found', { 'X-Request-Id': 'r' }))
    const error = await failureOf(settings(client).then(dataOf))
    expect(error).to.be.instanceOf(ServiceError)
    expect(error).to.include({ status: 404, code: 'not_found', requestId: 'r' })
    expect(error).to.have.property('message').that.includes('It is not_found.')
    const message = { error: 'bad_parameters', error_description: 'A parameter is not valid.' }
    const many = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`p${index}`, 'is wrong']))
    const faulty = clientOf(() => json({ ...message, error_info: many }, { status: 400 }))
    const faults = await failureOf(settings(faulty.client).then(dataOf))
    expect(faults).to.have.property('message').that.includes('p0: is wrong').and.does.not.include('p5')
    const proxy = clientOf(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    const foreign = await failureOf(settings(proxy.client).then(dataOf))
    expect(foreign).to.include({ status: 502, code: null })
  })
})

describe('rows', () => {
  const pages = [
    {
      items: [
        ['One', 1],
        ['Two', 2],
      ],
      next: 'page=2',
    },
    { items: [['Three', null]] },
  ]

  it('are those of all pages, as objects', async () => {
    const { client, requests } = clientOf(first(...pages.map((each) => json(each))))
    const titles: string[] = []
    for await (const { title, ord } of client.rows('/{iid}/sections', {
      path: { iid: 1 },
      query: { fields: ['title', 'ord'], rpp: 2 },
    }))
      titles.push(`${title} ${ord?.toFixed(1)}`)
    expect(titles).to.deep.equal(['One 1.0', 'Two 2.0', 'Three undefined'])
    expect(requests.slice(1)).to.deep.equal([
      'GET /1/sections?rpp=2&fields=title,ord&page=1',
      'GET /1/sections?rpp=2&fields=title,ord&page=2',
    ])
  })

  it('are those of one page, with the information whether another one follows', async () => {
    const { client, requests } = clientOf(first(...pages.map((each) => json(each))))
    const read = (page: number) =>
      client.page('/{iid}/sections', { path: { iid: 1 }, query: { fields: ['title'], rpp: 2, page } })
    expect(await read(1)).to.deep.equal({
      rows: [{ title: 'One' }, { title: 'Two' }],
      more: true,
      included: {},
      total: null,
      facets: {},
      facetsExact: true,
    })
    expect(await read(2)).to.deep.include({ rows: [{ title: 'Three' }], more: false })
    expect(requests.at(-1)).to.equal('GET /1/sections?fields=title&rpp=2&page=2')
  })

  it('are returned with what `total` and `facets` count', async () => {
    const total = { count: 2, exact: true }
    const facets = { section: [{ value: 's', title: 'Sport', count: 2 }] }
    const { client, requests } = clientOf(
      first(json({ items: [['One']], total, facets, facets_exact: false })),
    )
    const query = { fields: ['title' as const], rpp: 1, total: true, facets: ['section' as const] }
    const page = await client.page('/{iid}/content', { path: { iid: 1 }, query })
    expect(requests.at(-1)).to.equal('GET /1/content?fields=title&rpp=1&total=true&facets=section')
    expect(page).to.deep.include({ total, facets, facetsExact: false })
  })

  it('are returned with the objects that `include` names', async () => {
    const included = { s: { uuid: 's', title: 'Sport' } }
    const { client, requests } = clientOf(first(json({ items: [['One', 's']], included })))
    const query = { fields: ['title' as const, 'section_uuid' as const], include: ['section' as const] }
    const page = await client.page('/{iid}/content', { path: { iid: 1 }, query })
    expect(requests.at(-1)).to.equal('GET /1/content?fields=title,section_uuid&include=section')
    expect(includedIn(page, 'Section', page.rows[0]?.section_uuid ?? null)?.title).to.equal('Sport')
    expect(includedIn(page, 'Section', null)).to.equal(undefined)
    expect(includedIn(page, 'Tag', 't')).to.equal(undefined)
  })

  it('have the types of the attributes: null only where an object may have no value', async () => {
    const { client } = clientOf(first(json({ items: [['Sport', 1, null]] })))
    const query = { fields: ['title', 'ord', 'parent_uuid'] as const }
    for await (const row of client.rows('/{iid}/sections', { path: { iid: 1 }, query })) {
      const title: string = row.title
      // @ts-expect-error A section at the top has no parent.
      const parent: string = row.parent_uuid
      expect([title, parent]).to.deep.equal(['Sport', null])
    }
  })

  it('throw an error response', async () => {
    const { client } = clientOf(() => problem(403, 'forbidden'))
    const rows = client.rows('/{iid}/tags', { path: { iid: 1 }, query: { fields: ['uuid'] } })
    expect(await failureOf(rows.next())).to.include({ status: 403, code: 'forbidden' })
  })
})

describe('a page of the website', () => {
  const read = (response: Response) => {
    const { client, requests } = clientOf(() => response)
    const page = client.webPage({ iid: 1, path: '/culture/?page=2', page: 2, rpp: 5 })
    return { requests, page }
  }

  it('is read by its path, and is null where there is nothing', async () => {
    const redirect = { kind: 'redirect', location: '/arts/', status: 301 } as const
    const { page, requests } = read(json(redirect))
    expect(await page).to.deep.equal(redirect)
    expect(requests.at(-1)).to.equal('GET /1/page?path=%2Fculture%2F%3Fpage%3D2&page=2&rpp=5')
    expect(await read(problem(404, 'not_found')).page).to.equal(null)
  })

  it('fails with any other error response, also 404 of a proxy', async () => {
    expect(await failureOf(read(problem(403, 'forbidden')).page)).to.include({ status: 403 })
    expect(await failureOf(read(new Response('', { status: 404 })).page)).to.include({ status: 404 })
  })
})

describe('an upload', () => {
  const uploaded = { download_url: 'http://service.test/d', url: 'http://service.test/u', uuid: 'u' }
  const data = new Blob(['some ', 'text'], { type: 'text/plain' })

  it('is sent with its type, and repeated on 503', async () => {
    const wait = { 'Retry-After': '0' }
    const responses = first(problem(503, 'unavailable', wait), json(uploaded))
    const bodies: string[] = []
    const { client } = clientOf(async (request) => {
      bodies.push(`${request.headers.get('Content-Type')} ${await request.text()}`)
      return responses()
    })
    expect(await client.upload({ iid: 1, uuid: 'u', data })).to.deep.equal(uploaded)
    expect(bodies).to.deep.equal(['text/plain some text', 'text/plain some text'])
  })

  it('reports its progress', async () => {
    const { client } = clientOf(async (request) => {
      expect(await request.text()).to.equal('some text')
      return json(uploaded)
    })
    const sent: number[] = []
    await client.upload({ iid: 1, uuid: 'u', data, onProgress: ({ sent: bytes }) => sent.push(bytes) })
    expect(sent.at(-1)).to.equal(data.size)
  })
})

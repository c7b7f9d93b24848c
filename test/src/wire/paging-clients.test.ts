/**
 * The ways in which deployed clients read all pages of a list (docs/behaviour/collections.md#links): they follow `next`, take
 * it apart, escape it again or not at all, append it to an address, or count pages themselves.
 */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { columnOf, expectOk } from '../harness/expect-response.js'
import type { ApiResponse } from '../harness/http-client.js'
import { createPublication, type Publication } from '../harness/publication.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

/** What a client has when it requests the next page. */
type Step = {
  /** The address of the list, without a query. */
  readonly list: string
  /** The query of the last request. */
  readonly sent: string
  readonly next: string
}

/** The parts of a query, which are not decoded. */
const partsOf = (query: string): readonly (readonly [string, string])[] =>
  query.split('&').map((part) => {
    const [name = '', ...value] = part.split('=')
    return [name, value.join('=')]
  })

const escaped = (parts: Iterable<readonly [string, string]>): string =>
  Array.from(parts, ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')

const queryOf = (next: string): URLSearchParams => new URLSearchParams(next.slice(next.indexOf('?') + 1))

const withNextNumber = (query: string, page: number): string => {
  const parameters = new URLSearchParams(query)
  parameters.set('page', String(page))
  return parameters.toString()
}

const numberIn = (query: string): number => Number(new URLSearchParams(query).get('page') ?? '1')

/** The query of the next request. */
const ways: Readonly<Record<string, (step: Step) => string>> = {
  'follow next': ({ next }) => next.slice(next.indexOf('?') + 1),
  'append next to the address of the list': ({ next }) => next,
  'append next if it has no question mark': ({ next }) =>
    next.includes('?') ? next.slice(next.indexOf('?') + 1) : next,
  'decode next, and escape it again': ({ next }) => queryOf(next).toString(),
  'decode next, and append it without an escape': ({ next }) => decodeURIComponent(next),
  'take next apart without decoding it, and escape all of it again': ({ next, sent }) =>
    escaped(new Map([...partsOf(decodeURIComponent(sent)), ...partsOf(next)])),
  'take next apart, and escape all of it twice': ({ next }) =>
    escaped(partsOf(escaped(partsOf(next.slice(next.indexOf('?') + 1))))),
  'read the number of the page in next': ({ next, sent }) =>
    withNextNumber(sent, Number(/[?&]page=(\d+)/.exec(next)?.[1])),
  'read where the page starts in next': ({ next, sent }) => {
    const parameters = new URLSearchParams(sent)
    parameters.set('after', queryOf(next).get('after') ?? '')
    return parameters.toString()
  },
  'count pages': ({ sent }) => withNextNumber(sent, numberIn(sent) + 1),
  'count on in the first next': ({ sent, next }) =>
    sent.includes('after=') ? withNextNumber(sent, numberIn(sent) + 1) : queryOf(next).toString(),
}

for (const environment of [{}, { BARE_LINKS: 'true' }])
  describe(`clients that read all pages, ${'BARE_LINKS' in environment ? 'bare' : 'absolute'} links`, () => {
    let service: TestService
    let home: Publication
    before(async () => {
      service = await startTestService(environment)
      home = await createPublication(service)
      const titles = [
        '«Ä & ß»',
        'こんにちは',
        'a=b&c',
        '100 %',
        '"x",[y]',
        '+1',
        'Привет',
        'z/ž?',
        '#7',
        "d'e",
      ]
      for (const [index, title] of titles.entries()) {
        const body = { title, urlname: `u${index}`, state: 'published', description: 'On the canal' }
        expectOk(await home.admin.post('/locations', body))
        expectOk(await home.admin.post('/content', { ...body, content_type: 'article' }))
      }
    })
    after(() => service.stop())

    /** The rows of all pages, read in one way. */
    const readAll = async (way: (step: Step) => string, list: string, first: string) => {
      const rows: unknown[] = []
      for (let [sent, requests] = [first, 1]; ; requests += 1) {
        expect(requests, sent).to.be.at.most(20)
        const page: ApiResponse = expectOk(await home.reader.get(`${list}?${sent}`))
        rows.push(...columnOf(page))
        const { next } = page.object
        if (typeof next !== 'string') return rows
        sent = way({ list, sent, next })
      }
    }

    for (const [name, way] of Object.entries(ways))
      it(`get each row once if they ${name}`, async () => {
        for (const [list, query, count] of [
          ['/locations', 'fields=uuid&order=title.desc', 10],
          ['/content', 'fields=uuid', 10],
          ['/search', 'fields=uuid&order=title&q=canal', 20],
        ] as const) {
          const all = columnOf(expectOk(await home.reader.get(`${list}?${query}&rpp=100`)))
          expect(all).to.have.length(count)
          expect(await readAll(way, list, `${query}&rpp=3`), list).to.deep.equal(all)
        }
      })
  })

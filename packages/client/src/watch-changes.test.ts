import { expect } from 'chai'
import { describe, it } from 'mocha'
import { json, problem } from './fake-service.test-data.js'
import { watchChanges, type ChangeBatch, type WatchOptions } from './watch-changes.js'

type Answer = () => Response | Promise<Response>

const page =
  (next: string, ...items: readonly string[]): Answer =>
  () =>
    json({ items: items.map((uuid) => ({ uuid })), next })

/** The queries that a watch sends, and its first batches; a service that has no answer left fails. */
const watch = async (count: number, answers: readonly Answer[], options: Partial<WatchOptions> = {}) => {
  const queries: string[] = []
  const left = [...answers]
  const get = async (url: string): Promise<Response> => {
    queries.push(new URL(url).search)
    const answer = left.shift()
    if (answer === undefined) throw new Error('no answer is left')
    return answer()
  }
  const batches: ChangeBatch[] = []
  for await (const batch of watchChanges(get, 'http://service.test', { iid: 1, ...options }, 1)) {
    batches.push(batch)
    if (batches.length === count) break
  }
  const seen = batches.map(({ changes, cursor, isStart }) => [
    ...(isStart ? ['start'] : []),
    ...changes.map(({ uuid }) => uuid),
    cursor,
  ])
  return { queries, seen }
}

describe('a watch of changes', () => {
  it('starts now, and reads on from each cursor', async () => {
    const { queries, seen } = await watch(3, [page('1'), page('2', 'a', 'b'), page('3')])
    expect(seen).to.deep.equal([['start', '1'], ['a', 'b', '2'], ['3']])
    expect(queries).to.deep.equal(['?since=now', '?since=1&wait=25', '?since=2&wait=25'])
  })

  it('reads on from a cursor, of some collections', async () => {
    const { queries, seen } = await watch(1, [page('8', 'a')], {
      since: '7',
      types: ['content', 'settings'],
    })
    expect(seen).to.deep.equal([['a', '8']])
    expect(queries).to.deep.equal(['?since=7&wait=25&types=content,settings'])
  })

  it('starts again if its cursor has expired', async () => {
    const { queries, seen } = await watch(
      2,
      [() => problem(410, 'cursor_expired'), page('9'), page('10', 'a')],
      {
        since: '7',
      },
    )
    expect(seen).to.deep.equal([
      ['start', '9'],
      ['a', '10'],
    ])
    expect(queries).to.deep.equal(['?since=7&wait=25', '?since=now', '?since=9&wait=25'])
  })

  it('tries again while the service is not available, and does not miss a change', async () => {
    const down: readonly Answer[] = [
      () => Promise.reject(new TypeError('fetch failed')),
      () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
      () => problem(503, 'unavailable'),
    ]
    const { queries, seen } = await watch(1, [...down, page('8', 'a')], { since: '7' })
    expect(seen).to.deep.equal([['a', '8']])
    expect(new Set(queries)).to.deep.equal(new Set(['?since=7&wait=25']))
  })

  it('fails with what will not succeed later', async () => {
    const failure = (answer: Answer) =>
      watch(1, [answer], { since: '7' }).then(
        () => null,
        (error: unknown) => error,
      )
    expect(await failure(() => problem(403, 'forbidden'))).to.include({ status: 403 })
    expect(await failure(() => problem(410, 'instance_gone'))).to.include({ status: 410 })
  })

  it('ends when it is aborted, while it waits and in a pause', async () => {
    const waiting = new AbortController()
    const never: Answer = () =>
      new Promise((_resolve, reject) => {
        waiting.signal.addEventListener('abort', () => reject(new DOMException('x', 'AbortError')))
      })
    setTimeout(() => waiting.abort(), 5)
    expect((await watch(1, [never], { since: '7', signal: waiting.signal })).seen).to.deep.equal([])
    const pausing = new AbortController()
    const answers = Array.from({ length: 30 }, () => page('7'))
    setTimeout(() => pausing.abort(), 5)
    expect((await watch(1, answers, { since: '7', signal: pausing.signal })).seen).to.deep.equal([])
  })
})

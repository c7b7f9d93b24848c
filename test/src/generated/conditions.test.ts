/**
 * Conditions and other headers that can't be met or read, at every endpoint (docs/behaviour/writing.md#preconditions,
 * docs/behaviour/errors.md, docs/behaviour/files.md, docs/behaviour/caching.md).
 */
import { expect } from 'chai'
import { describe } from 'mocha'
import type { Endpoint } from '@publishing-service/http-contract'
import { expectError, expectStatus } from '../harness/expect-answer.js'
import type { Answer } from '../harness/http-client.js'
import { sampleRequest } from './sample-request.js'
import { onUntouchedStage, type Stage } from './stage.js'
import { needsToken, walkEndpoints } from './walk.js'

const isRead = ({ method }: Endpoint): boolean => method === 'GET'
/** The homepage on the stage is the first one, which is never deleted, whatever the condition. */
const refusalOf = ({ operation, resource }: Endpoint): [number, string] =>
  operation === 'removeObject' && resource?.preventsDeletion !== undefined
    ? [405, 'method_not_allowed']
    : [412, 'precondition_failed']

const isWrite = (endpoint: Endpoint): boolean => !isRead(endpoint) && needsToken(endpoint)

/** None of them is, or names, the tag of anything. */
const tagsOfNothing = [
  '"x"',
  'x',
  '"',
  '""',
  'W/"x"',
  '*x',
  ',,,',
  '"x',
  '"x" "y"',
  '<x>',
  `"${'x'.repeat(4000)}"`,
  'null',
]

const strange: Readonly<Record<string, readonly string[]>> = {
  'If-None-Match': tagsOfNothing,
  'If-Modified-Since': ['x', 'Thu, 32 Foo 2026 99:99:99 GMT', '0', 'Thu, 01 Jan 2099 00:00:00 GMT'],
  'If-Range': ['x', '"x"', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  'Cache-Control': ['x', 'max-age=x', ',', '"no-cache', 'max-age=-1'],
  Prefer: ['x', 'handling', 'handling=', 'handling=loose', ';;;', '"'],
  Range: [
    'x',
    'bytes',
    'bytes=',
    'bytes=x-y',
    'bytes=-',
    'bytes=5-2',
    'lines=0-1',
    '0-1',
    `bytes=${'9'.repeat(400)}x`,
  ],
  'X-Forwarded-Host': ['evil.example.org', '<script>'],
  'X-Forwarded-Proto': ['javascript'],
  'X-HTTP-Method-Override': ['DELETE'],
  'Accept-Charset': ['utf-16', 'x;q=x'],
  'Accept-Encoding': ['x', 'gzip;q=9', 'identity;q=0'],
  'Accept-Language': ['x', '*;q=0'],
  Cookie: ['a=b; c', '=', '\u0080'],
  Origin: ['null', 'https://evil.example.org'],
  Referer: ['x'],
  TE: ['trailers, x'],
}

describe('headers that can’t be met', () => {
  let stage: Stage
  let untouched: Readonly<Record<string, string>>
  onUntouchedStage((set, snapshot) => {
    stage = set
    untouched = snapshot
  })

  const ask = (endpoint: Endpoint, headers: Readonly<Record<string, string>>): Promise<Answer> => {
    const { headers: own, ...rest } = sampleRequest(endpoint, stage)
    return stage
      .root(stage.home.admin.token)
      .send(endpoint.method, stage.address(endpoint), { ...rest, headers: { ...own, ...headers } })
  }

  walkEndpoints(
    'If-Match that names another state, or none: 412 and nothing written',
    { about: isWrite, sample: 12 },
    async (endpoint) => {
      for (const tags of tagsOfNothing)
        expectError(await ask(endpoint, { 'If-Match': tags }), ...refusalOf(endpoint))
      expect(await stage.snapshot()).to.deep.equal(untouched)
    },
  )

  walkEndpoints(
    'If-None-Match: * on what exists: 412 and nothing written',
    { about: isWrite, exceptions: { createObject: 'it makes what doesn’t exist' }, sample: 12 },
    async (endpoint) => {
      for (const tags of ['*', ' * '])
        expectError(await ask(endpoint, { 'If-None-Match': tags }), ...refusalOf(endpoint))
      expectError(await ask(endpoint, { 'If-None-Match': '*', 'If-Match': '*' }), ...refusalOf(endpoint))
      expect(await stage.snapshot()).to.deep.equal(untouched)
    },
  )

  walkEndpoints('a header that means nothing is let be', { about: isRead, sample: 8 }, async (endpoint) => {
    const plain = expectStatus(await ask(endpoint, {}), 200)
    for (const [name, values] of Object.entries(strange))
      for (const value of values) {
        const answer = await ask(endpoint, { [name]: value })
        expectStatus(answer, 200)
        // Pages are compressed for whoever names gzip, whatever weight stands beside it.
        if (name === 'Accept-Encoding' && answer.headers['content-encoding'] === 'gzip') continue
        expect(answer.text, `${name}: ${value}`).to.equal(plain.text)
      }
  })

  walkEndpoints(
    'a host that can’t stand in a link stays out of links',
    { about: (each) => isRead(each) && needsToken(each), sample: 12 },
    async (endpoint) => {
      for (const Host of [
        '',
        '<script>',
        'a b',
        'x/y',
        'user@example.org',
        'x"y',
        '[::',
        'x:y',
        'x:999999',
        '%00',
      ]) {
        const answer = await ask(endpoint, { Host, 'Cache-Control': 'no-cache' })
        if (answer.status === 200) expect(answer.text).not.to.match(/<script>|a b|user@|\[::\/|999999/)
        else expectError(answer, 400, 'bad_request')
      }
    },
  )
})

/** Forms of values that are tolerated, stored in canonical form, and faults with strict handling (docs/behaviour/writing.md#other-forms). */
import { expect } from 'chai'
import { it } from 'mocha'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { expectError, expectFaults, expectOk, uuidOf } from '../harness/expect-response.js'
import { onEveryStore } from '../harness/on-every-store.js'

const strict = { Prefer: 'handling=strict' } as const

/** A collection, a required body, an attribute, the value as it is sent and as it is stored. */
const forms: readonly (readonly [string, JsonObject, string, Json, Json])[] = [
  // docs/behaviour/writing.md#other-forms
  ['locations', {}, 'pcode', 1010, '1010'],
  ['locations', {}, 'streetnumber', 12, '12'],
  ['locations', {}, 'website', '\u00a0https://example.org/a \n', 'https://example.org/a'],
  ['locations', {}, 'email', ' a@b.example\u00a0', 'a@b.example'],
  ['sections', {}, 'externalurl', ' /a/\u00a0', '/a/'],
  ['content', { content_type: 'review_book' }, 'book_isbn', 9783161484100, '9783161484100'],
  // docs/behaviour/writing.md#urlname
  ['tags', {}, 'urlname', "you simply can't…?", 'you-simply-cant'],
  ['content', { content_type: 'article' }, 'urlname', 'Top_10: Größe & Öl!', 'Top_10-Grosse-Ol'],
  // docs/behaviour/files.md#filename
  ['files', {}, 'filename', 'a\u202egpj.\u2066exe\u2069', 'agpj.exe'],
  // docs/behaviour/body.md#named-references
  ['content', { content_type: 'article' }, 'content', '<p>a&nbsp;b&hellip;</p>', '<p>a\u00a0b…</p>'],
  ['locations', {}, 'content', '<p title="&rsquo;">&lt;&LT;</p>', '<p title="’">&lt;&lt;</p>'],
]

/** The required title of each collection. */
const titles: Readonly<Record<string, string>> = { tags: 'last_name_or_title' }

/** Bytes are not compared with the OpenAPI document, which describes some canonical forms alone. */
const bytesOf = (body: JsonObject) => ({
  body: Buffer.from(JSON.stringify(body)),
  headers: { 'Content-Type': 'application/json' },
})

onEveryStore('tolerated forms', {}, (place) => {
  it('are stored in canonical form, and are faults with strict handling', async () => {
    const { admin, reader } = place.home
    for (const [index, [collection, required, name, sent, stored]] of forms.entries()) {
      const urlname = collection === 'files' ? {} : { urlname: `form-${index}` }
      const title = { [titles[collection] ?? 'title']: 'T' }
      const filename = collection === 'files' ? { filename: 'a' } : {}
      const body = { ...title, ...filename, ...urlname, ...required, [name]: sent }
      const refused = await admin.post(`/${collection}`, body, strict)
      expectFaults(refused, name)
      const path = `/${collection}/${uuidOf(await admin.send('POST', `/${collection}`, bytesOf(body)))}`
      const object = expectOk(await reader.get(path)).object
      expect(object[name], `${collection}: ${name}`).to.equal(stored)
      expectOk(await admin.put(path, object, strict))
      expect(expectOk(await reader.get(path, { 'Cache-Control': 'no-cache' })).object).to.deep.equal(object)
    }
  })

  // docs/behaviour/writing.md#texts
  it('do not include a required title that shows nothing', async () => {
    const { admin } = place.home
    for (const [collection, name, further] of [
      ['sections', 'title', { urlname: 'x' }],
      ['content', 'title', { content_type: 'article', urlname: 'x' }],
      ['locations', 'title', { urlname: 'x' }],
      ['files', 'title', { filename: 'x' }],
      ['files', 'filename', { title: 'x' }],
      ['tags', 'last_name_or_title', { urlname: 'x' }],
      ['tags/categories', 'title', {}],
      ['blogs', 'title', { urlname: 'x' }],
    ] as const)
      for (const shown of ['   ', '\u200b', '\u00a0\u00ad'])
        for (const headers of [{}, strict])
          expectFaults(await admin.post(`/${collection}`, { ...further, [name]: shown }, headers), name)
  })

  // docs/behaviour/wire.md#request-bodies
  it('include another name of UTF-8', async () => {
    const { admin } = place.home
    const send = (headers: Readonly<Record<string, string>>) =>
      admin.send('POST', '/sections', {
        body: JSON.stringify({ title: 'Größe', urlname: 'utf8' }),
        headers: { 'Content-Type': 'application/json; charset=utf8', ...headers },
      })
    expectError(await send(strict), 415, 'unsupported_media_type')
    expectOk(await send({}))
  })
})

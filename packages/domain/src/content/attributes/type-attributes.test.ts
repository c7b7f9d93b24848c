/**
 * The buy links of old clients: they read the first of the list, and written alone replace it
 * (docs/behaviour/deprecated.md#buy-links).
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { Json, JsonObject } from '../../json.js'
import type { WriteMode } from '../../resource/draft-attributes.js'
import { viewOf } from '../../resource/read-plan.js'
import { jsonOf, stateOf } from '../../testing/arbitraries.js'
import { command, viewOn, write } from '../../testing/index.js'
import { content } from '../content.js'

for (const kind of ['album', 'book', 'product'] as const)
  describe(`the old buy link of review_${kind}`, () => {
    const list = `${kind}_buy_urls`
    const url = `${kind}_buy_url`
    const text = `${kind}_buy_link_text`
    const required = { content_type: `review_${kind}`, title: 't', urlname: 'u' }
    const [a, b] = [
      { url: 'https://a.example', link_text: 'A' },
      { url: 'https://b.example', link_text: null },
    ]

    const sent = (mode: WriteMode, input: JsonObject, links: readonly Json[] | null): Json => {
      const previous =
        links === null ? null : write(content, command('put', { ...required, [list]: links }, null)).state
      const { draft, state } = write(
        content,
        command(mode, mode === 'put' ? { ...required, ...input } : input, previous),
      )
      expect(draft.faults).to.deep.equal([])
      return state[list] ?? null
    }
    const put = (input: JsonObject, links: readonly Json[] | null = null) => sent('put', input, links)
    const patch = (input: JsonObject, links: readonly Json[]) => sent('patch', input, links)

    it('returns the first of the list, or null', () => {
      fc.assert(
        fc.property(stateOf(content, `review_${kind}`), (state) => {
          const view = viewOf(content, state, viewOn(content, state))
          const first = (state[list] as readonly JsonObject[])[0]
          expect(view[url]).to.equal(first?.['url'] ?? null)
          expect(view[text]).to.equal(first?.['link_text'] ?? null)
        }),
        { numRuns: 30 },
      )
    })

    it('replaces the whole list if it is sent alone in a PUT', () => {
      expect(put({ [url]: b.url })).to.deep.equal([b])
      expect(put({ [url]: a.url, [text]: 'A' }, [b, b])).to.deep.equal([a])
      expect(put({ [text]: 'A', [url]: a.url })).to.deep.equal([a])
      expect(put({ [url]: a.url, [text]: 'A', [list]: null })).to.deep.equal([a])
    })

    it('replaces the first of the list if it is sent alone in a PATCH', () => {
      expect(patch({ [url]: 'https://c.example' }, [a, b])).to.deep.equal([
        { url: 'https://c.example', link_text: 'A' },
        b,
      ])
      expect(patch({ [text]: 'C' }, [a, b])).to.deep.equal([{ ...a, link_text: 'C' }, b])
      expect(patch({ [url]: b.url, [text]: 'C' }, [])).to.deep.equal([{ url: b.url, link_text: 'C' }])
    })

    it('is cleared by null in a PATCH: the address with its text, the text alone', () => {
      expect(patch({ [url]: null }, [a, b])).to.deep.equal([b])
      expect(patch({ [text]: null }, [a, b])).to.deep.equal([{ ...a, link_text: null }, b])
      expect(patch({ [url]: null, [text]: null }, [a])).to.deep.equal([])
      expect(patch({ [url]: null, [text]: null }, [])).to.deep.equal([])
    })

    it('leaves the list alone when the list is sent too', () => {
      expect(put({ [url]: 'https://c.example', [text]: 'C', [list]: [b] })).to.deep.equal([b])
      expect(patch({ [url]: null, [list]: [a] }, [b])).to.deep.equal([a])
      expect(patch({ [url]: 'https://c.example', [list]: [] }, [b])).to.deep.equal([])
    })

    it('drops a text without an address', () => {
      expect(put({ [text]: 'A' })).to.deep.equal([])
      expect(patch({ [text]: 'A' }, [])).to.deep.equal([])
    })

    it('is validated like an address and a text', () => {
      const input = { ...required, [url]: 'not an address', [text]: 'x'.repeat(256) }
      const { draft } = write(content, command('put', input, null))
      expect(draft.faults.map(({ path }) => path)).to.have.members([url, text])
    })

    it('always results in a list that could have been sent', () => {
      const schemaOf = (name: string) => {
        const attribute = content.attributes[name]
        if (attribute?.kind !== 'alias') throw new Error(`${name} is no alias`)
        return fc.option(jsonOf(attribute.type.schema))
      }
      const links = fc.record(
        { [url]: schemaOf(url), [text]: schemaOf(text) },
        { requiredKeys: [], noNullPrototype: true },
      )
      fc.assert(
        fc.property(
          stateOf(content, `review_${kind}`),
          links,
          fc.constantFrom('put', 'patch'),
          (state, input, mode) => {
            const changed = write(
              content,
              command(mode, { ...required, ...input, content_type: required.content_type }, state),
            ).state
            const sentBack = write(
              content,
              command('put', { ...required, [list]: changed[list] ?? null }, null),
            )
            expect(sentBack.draft.faults).to.deep.equal([])
            expect(sentBack.state[list]).to.deep.equal(changed[list])
          },
        ),
        { numRuns: 50 },
      )
    })
  })

/** Fifty searches over the sample and a larger corpus: the first object that is found (docs/behaviour/search.md). */
import { expect } from 'chai'
import { it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { resourceOf } from '@publishing-service/domain'
import type { JsonObject } from '@publishing-service/domain/json'
import { searchedAttributes } from '@publishing-service/domain/engine'
import { readSample, type Sample } from '@publishing-service/sample'
import { expectOk, itemsOf } from '../harness/expect-response.js'
import { fresh, onEveryStore } from '../harness/on-every-store.js'

/** The words of made titles, one of each list in each title. */
const corpus = [
  ['Quiet', 'Golden', 'Ancient', 'Crowded', 'Forgotten'],
  ['harbour', 'orchard', 'library', 'viaduct', 'bakery', 'glacier'],
  ['at dawn', 'in winter', 'by night'],
] as const

/** The query, and the kind and title of the first object. */
const queries: readonly (readonly [query: string, first: readonly [type: string, title: string] | null])[] = [
  ['moon', ['tag', 'Moon']],
  ['luna', ['tag', 'Moon']],
  ['verne', ['content', 'Verne, Read Aloud']],
  ['jules verne', ['tag', 'Jules Verne']],
  ['cannon verne', ['content', 'Nine Hundred Feet of Cannon']],
  ['coffee', ['file', 'A cup of coffee at Pikolo Espresso Bar']],
  ['espresso', ['content', 'Espresso, Explained']],
  ['espress', ['content', 'Espresso, Explained']],
  ['minuto', ['location', 'Bar Minuto']],
  ['cafe', ['tag', 'Café']],
  ['CAFÉ', ['tag', 'Café']],
  ['telescopes', ['content', 'First Friday in the Dark']],
  ['"milky way"', ['content', 'First Friday in the Dark']],
  ['"way milky"', null],
  ['cat', ['content', 'The Most Measured Cat']],
  ['chelsea cat', ['file', 'Chelsea the cat']],
  ['measured cat', ['content', 'The Most Measured Cat']],
  ['hubble', ['file', 'Hubble eXtreme Deep Field']],
  ['galaxies', ['file', 'Hubble eXtreme Deep Field']],
  ['rocket', ['tag', 'Rockets']],
  ['satellite', ['content', 'The Third Attempt, at Sunset']],
  ['dscovr', ['file', 'Falcon 9 with DSCOVR on its pad']],
  ['"gun club"', ['content', 'Nine Hundred Feet of Cannon']],
  ['baltimore', ['content', 'Nine Hundred Feet of Cannon']],
  ['melies', ['content', 'Straight in the Eye']],
  ['Méliès moon', ['content', 'Straight in the Eye']],
  ['golden', ['content', 'Golden glacier by night']],
  ['golden record', ['content', 'Out of Print, Out of Reach']],
  ['voyager', ['content', 'Out of Print, Out of Reach']],
  ['"united nations"', ['content', 'Out of Print, Out of Reach']],
  ['observatory', ['location', 'The Old Observatory']],
  ['"observatory lane"', ['location', 'The Old Observatory']],
  ['affogato', ['content', 'Affogato, or: Be Quick']],
  ['ice cream', ['content', 'Affogato, or: Be Quick']],
  ['eileen collins', ['file', 'Eileen Collins']],
  ['nasa', ['file', 'Eileen Collins']],
  ['spacex', ['file', 'Falcon 9 with DSCOVR on its pad']],
  ['public domain', ['file', 'Hubble eXtreme Deep Field']],
  ['harbour', ['content', 'Forgotten harbour by night']],
  ['quiet harbour', ['content', 'Quiet harbour by night']],
  ['harbour dawn', ['content', 'Forgotten harbour at dawn']],
  ['"harbour in winter"', ['content', 'Forgotten harbour in winter']],
  ['forgotten bakery night', ['content', 'Forgotten bakery by night']],
  ['glac', ['content', 'Forgotten glacier by night']],
  ['visit 421', ['content', 'Forgotten library in winter']],
  ['nobody viaduct ancient', ['content', 'Ancient viaduct by night']],
  ['orchard glacier', null],
  ['quiet AND golden', null],
  ['rocket*', ['tag', 'Rockets']],
  ['title:moon', null],
]

const madeArticles = (): readonly JsonObject[] =>
  corpus[0].flatMap((adjective, i) =>
    corpus[1].flatMap((noun, j) =>
      corpus[2].map((end, k) => ({
        content_type: 'article',
        title: `${adjective} ${noun} ${end}`,
        description: `A visit, number ${i * 100 + j * 10 + k}`,
        content: `<p>The ${noun} was <em>${adjective.toLowerCase()}</em>.</p><p>Nobody there knew the ${corpus[1][(j + 1) % 6]}.</p>`,
      })),
    ),
  )

/** The searched attributes of the objects of a collection of the sample, and the type of tags, as bodies. */
const textsOf = ({ objects }: Sample, name: string): readonly JsonObject[] => {
  const searched = new Set(searchedAttributes(resourceOf(name)?.attributes ?? {}).map((each) => each.name))
  return objects
    .filter(({ collection }) => collection === name)
    .map(({ attributes }) =>
      Object.fromEntries(
        Object.entries(attributes).filter(([attribute]) => attribute === 'type' || searched.has(attribute)),
      ),
    )
}

onEveryStore('fifty searches', {}, (place) => {
  const write = async (collection: string, body: JsonObject): Promise<void> => {
    expectOk(await place.home.admin.post(`/${collection}`, body))
  }

  it('return the expected object first', async function () {
    this.timeout(120_000)
    for (const body of madeArticles()) await write('content', { ...body, urlname: randomUUID() })
    const sample = await readSample()
    for (const body of textsOf(sample, 'content')) {
      const { content, location_alt: _none, ...texts } = body
      await write('content', {
        content_type: 'article',
        urlname: randomUUID(),
        ...texts,
        ...(typeof content === 'string'
          ? { content: content.replaceAll(/<slot[^>]*>(<\/slot>)?/g, '') }
          : {}),
      })
    }
    for (const collection of ['locations', 'tags'])
      for (const body of textsOf(sample, collection))
        await write(collection, { urlname: randomUUID(), ...body })
    for (const body of textsOf(sample, 'files')) await write('files', body)
    for (const [query, first] of queries) {
      const address = `/search?fields=type,title&rpp=1&q=${encodeURIComponent(query)}`
      const rows = itemsOf(expectOk(await place.home.reader.get(address, fresh)))
      expect(rows, query).to.deep.equal(first === null ? [] : [first])
    }
  })
})

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { defaultStreamingHosts } from '@publishing-service/domain'
import { describeMedia, describeModel } from '../describe-model.js'
import type { Field, Value } from '../model.js'
import { englishWords } from './english-words.js'
import { germanWords } from './german-words.js'
import { readable } from './model-words.js'

const { resources, settings, user, slot, storyList, story } = describeModel()
const media = describeMedia(defaultStreamingHosts)

const fieldsIn = (fields: readonly Field[]): readonly Field[] =>
  fields.flatMap((field) => [field, ...fieldsOf(field.value)])

const fieldsOf = (value: Value): readonly Field[] => {
  if (value.kind === 'list') return fieldsOf(value.item)
  return value.kind === 'object' || value.kind === 'recurrence' ? fieldsIn(value.fields) : []
}

const optionsOf = (value: Value): readonly string[] => {
  if (value.kind === 'list') return optionsOf(value.item)
  return value.kind === 'choice' ? value.options : []
}

const fields = fieldsIn([
  ...resources.flatMap((each) => each.fields),
  ...settings,
  ...user,
  ...slot,
  ...media.fields,
  ...storyList,
  ...story.fields,
])
const filters = resources.flatMap((each) => each.filters)
const orders = resources.flatMap((each) => each.orders)
const names = new Set([
  ...fields.flatMap(({ name, group }) => [name, ...(group === undefined ? [] : [group])]),
  ...filters.map(({ name }) => name),
  ...orders,
])
const described = new Set(fields.map(({ name }) => name))
/** Providers are named by an alias. */
const wordOf = (option: string): string =>
  media.hosts.find(({ name }) => name === option)?.aliases[0] ?? option
/** Numbers are the same in every language. */
const words = new Set(
  [
    ...fields.flatMap(({ value }) => optionsOf(value).map(wordOf)),
    ...filters.flatMap(({ value }) => (value.kind === 'choices' ? value.options : [])),
  ].filter((word) => Number.isNaN(Number(word))),
)

const missing = (needed: ReadonlySet<string>, table: Readonly<Record<string, string>>) =>
  [...needed].filter((name) => table[name] === undefined)

const unknown = (needed: ReadonlySet<string>, table: Readonly<Record<string, string>>) =>
  Object.keys(table).filter((name) => !needed.has(name))

describe('the words of the dashboard', () => {
  it('in German are complete', () => {
    expect(missing(names, germanWords.attributes), 'attributes').to.deep.equal([])
    expect(missing(words, germanWords.values), 'values').to.deep.equal([])
  })

  for (const [language, table] of Object.entries({ English: englishWords, German: germanWords }))
    it(`in ${language} are those of the model`, () => {
      expect(unknown(names, table.attributes), 'attributes').to.deep.equal([])
      expect(unknown(described, table.help), 'help').to.deep.equal([])
      expect(unknown(words, table.values), 'values').to.deep.equal([])
    })

  it('in English do not repeat what follows from the name', () => {
    for (const table of [englishWords.attributes, englishWords.values])
      for (const [name, text] of Object.entries(table)) expect(text).to.not.equal(readable(name))
    for (const { name, description } of fields) expect(englishWords.help[name]).to.not.equal(description)
  })

  it('in English are not those of programmers', () => {
    const labels = [...names].map((name) => englishWords.attributes[name] ?? readable(name))
    const help = fields.map(({ name, description }) => englishWords.help[name] ?? description)
    expect(labels.filter((text) => /\b(urls?|uuids?|mimetypes?|fb|ical|auto)\b/i.test(text))).to.deep.equal([
      'UUID',
    ])
    expect(
      help.filter((text) =>
        /`|_|\b(null|PUT|RFC|XML|UUID|token|slot|object|default|sent)\b|^[A-Z]+\./.test(text),
      ),
    ).to.deep.equal([])
  })
})

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { defaultStreamingHosts } from '@publishing-service/domain/declare'
import { describeMedia, describeModel } from '../describe-model.js'
import type { Field, Value } from '../model.js'
import { wordsIn } from './languages.js'

const { resources, settings, user, slot, storyList, story, imports } = describeModel()
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
  ...resources.flatMap(({ fields: own, about }) => [...own, ...about]),
  ...settings,
  ...user,
  ...slot,
  ...media.fields,
  ...storyList,
  ...story.fields,
])
/** They have labels of their own. */
const importFields = fieldsIn([...imports.fields, ...Object.values(imports.options).flat()])
const filters = resources.flatMap((each) => each.filters)
const orders = resources.flatMap((each) => each.orders)
const names = new Set([
  ...resources.flatMap((each) => each.parts),
  ...fields.flatMap(({ name, group }) => [name, ...(group === undefined ? [] : [group])]),
  ...filters.map(({ name }) => name),
  ...orders,
])
/** Providers are named by an alias. */
const wordOf = (option: string): string =>
  media.hosts.find(({ name }) => name === option)?.aliases[0] ?? option
/** Numbers are the same in every language. */
const options = new Set(
  [
    ...[...fields, ...importFields].flatMap(({ value }) => optionsOf(value).map(wordOf)),
    ...filters.flatMap(({ value }) => (value.kind === 'choices' ? value.options : [])),
    ...resources.map(({ name }) => name),
  ].filter((word) => Number.isNaN(Number(word))),
)

const { attributes, help, values, imports: importWords } = await wordsIn('en')

/** Without a word, labels are made from names, in every language. */
const unnamed = [...names, ...options].filter((name) => !(name in attributes || name in values))
const note = unnamed.length === 0 ? '' : `; without words are ${unnamed.join(', ')}`

describe('the words of the dashboard', () => {
  it(`are those of the model${note}`, () => {
    expect([...names], 'attributes').to.include.members(Object.keys(attributes))
    expect([...options], 'values').to.include.members(Object.keys(values))
    expect(fields.map(({ name }) => name)).to.include.members(Object.keys(help))
  })

  it('are those of imports', () => {
    const { labels, help: helpOfImports, exports, outcomes } = importWords
    const importNames = [...new Set(importFields.map(({ name }) => name))]
    expect(importNames).to.have.members(Object.keys(labels))
    expect(importNames).to.include.members(Object.keys(helpOfImports))
    expect(Object.keys(imports.options)).to.have.members(Object.keys(exports))
    expect(imports.outcomes).to.have.members(Object.keys(outcomes))
  })

  it('in English are not those of programmers', () => {
    const labels = Object.values(attributes)
    expect(labels.filter((text) => /\b(urls?|uuids?|mimetypes?|fb|ical|auto)\b/i.test(text))).to.deep.equal([
      'UUID',
    ])
    expect(
      Object.values(help).filter((text) =>
        /`|_|\b(null|PUT|RFC|XML|UUID|token|slot|object|default|sent)\b|^[A-Z]+\./.test(text),
      ),
    ).to.deep.equal([])
  })
})

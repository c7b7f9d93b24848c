import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { placeholders, type FillIn } from './fill-in.js'
import { languages, wordsIn } from './languages.js'
import { textsOf, type Words } from './texts.js'

type Filled = (values: never) => string

type Tree = string | Filled | { readonly [name: string]: Tree }

/** The leaves by their path, such as `form.save`. A text in several forms is one with all of them. */
const leavesOf = (
  tree: Tree,
  path: readonly string[] = [],
): readonly (readonly [string, string | Filled])[] => {
  if (typeof tree !== 'object') return [[path.join('.'), tree]]
  if ('other' in tree) return [[path.join('.'), Object.values(tree).join(' ')]]
  return Object.entries(tree).flatMap(([name, below]) => leavesOf(below, [...path, name]))
}

const textsBelow = (words: Words) => leavesOf(words).map(([path, text]) => [path, String(text)] as const)

const namesIn = (text: string): string =>
  [...new Set([...text.matchAll(placeholders)].map(([, name = '']) => name))].toSorted().join()

const placeholdersIn = (words: Words) =>
  Object.fromEntries(textsBelow(words).map(([path, text]) => [path, namesIn(text)]))

/** In place of texts with values, the names of these. */
const nameValues: FillIn = {
  text:
    (_text, ...names) =>
    () =>
      names.toSorted().join(),
  plural: () => () => 'count',
}

const english = await wordsIn('en')

describe('the texts of the dashboard', () => {
  for (const language of languages) {
    it(`in ${language} are those of English, with the same placeholders`, async () => {
      expect(placeholdersIn(await wordsIn(language))).to.deep.equal(placeholdersIn(english))
    })

    it(`in ${language} are not empty, and have no space at an end`, async () => {
      const texts = textsBelow(await wordsIn(language))
      expect(texts.filter(([, text]) => text === '' || text !== text.trim())).to.deep.equal([])
    })
  }

  it('get the values of all their placeholders', () => {
    const values = leavesOf(textsOf(english, nameValues)).map(([path, leaf]) => {
      if (typeof leaf === 'function') return [path, leaf(undefined as never)]
      // Sentences of the audit log are divided where the object is.
      return [path, /^(operations|audit)\./.test(path) && leaf.includes('{object}') ? 'object' : '']
    })
    expect(Object.fromEntries(values)).to.deep.equal(placeholdersIn(english))
  })

  it('are all used', async () => {
    const folder = fileURLToPath(new URL('../../src/', import.meta.url))
    const sources = (await readdir(folder, { recursive: true })).filter(
      (name) => /\.tsx?$/.test(name) && !/\.test\.ts$|^texts\//.test(name),
    )
    const codes = await Promise.all(sources.map((name) => readFile(`${folder}${name}`, 'utf8')))
    const words = codes.map((code) => new Set(code.match(/[\w-]+/g)))
    // Those of the model, and of what the service sends, are looked up by their names.
    const lookedUp =
      /^(attributes|help|values|operations|collections|roles|signIn\.providerErrors|account\.ways|shell\.groups|recurrence\.(every|numbers|ending)|audit\.signIns|publication\.(badges|period)|webhooks\.(words|states|failures|switchedOff)|jobs\.(states|times)|imports\.(labels|help|exports|outcomes)|library\.(kinds|rejected)|access\.mailed|link\.titles|drafts\.missedBecause|markup\.blocks|content\.mediaTypes)\./
    const unused = textsBelow(english).filter(
      ([path]) =>
        !words.some((code) =>
          path
            .split('.')
            .slice(0, lookedUp.test(path) ? -1 : undefined)
            .every((name) => code.has(name)),
        ),
    )
    expect(unused).to.deep.equal([])
  })
})

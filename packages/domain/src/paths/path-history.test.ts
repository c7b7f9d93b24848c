/**
 * Earlier public paths: recorded if a write changes the path, derived below sections that were renamed or moved, and
 * replaced or taken off by clients (docs/behaviour/paths.md#path-history).
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { contentPath } from '../content/attributes/common-attributes.js'
import { E } from '../fp.js'
import type { JsonObject } from '../json.js'
import { location } from '../locations/location.js'
import { section } from '../sections/section.js'
import { tag } from '../tags/tag.js'
import { codes, valueContext } from '../testing/index.js'
import { addOldPath, maxPaths, pathHistory, replaceOldPaths, withEarlierPaths } from './path-history.js'
import { publicPath, type PathRule } from './public-path.js'

type Sections = Readonly<Record<string, JsonObject>>

const sectionPath = section.path ?? contentPath

const finder = (sections: Sections) => (collection: string, id: string) =>
  collection === 'sections' ? sections[id] : undefined

const object = (urlname: string, section_uuid: string | null, more: JsonObject = {}): JsonObject => ({
  urlname,
  section_uuid,
  old_paths: [],
  hidden_paths: [],
  ...more,
})

const aSection = (
  urlname: string,
  parent_uuid: string | null,
  old_paths: readonly string[] = [],
): JsonObject => ({
  urlname,
  parent_uuid,
  old_paths,
  hidden_paths: [],
})

const replaced = (
  rule: PathRule,
  state: JsonObject,
  paths: readonly string[],
  sections: Sections = {},
): JsonObject => {
  const input = { items: paths.map((path) => ({ path })) }
  const result = replaceOldPaths(rule, state, input, finder(sections), valueContext)
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const sections: Sections = {
  drinks: aSection('drinks', null, ['/food/', '/beverages']),
  wine: aSection('wine', 'drinks', ['/drinks/vine/']),
}
const find = finder(sections)
const article = object('a', 'wine')

describe('the path history', () => {
  it('has what an object had below old paths of its sections', () => {
    expect(pathHistory(contentPath, article, find)).to.deep.equal([
      '/drinks/vine/a/',
      '/food/wine/a/',
      '/beverages/wine/a/',
    ])
    expect(pathHistory(sectionPath, sections['wine'] ?? {}, find)).to.deep.equal([
      '/drinks/vine/',
      '/food/wine/',
      '/beverages/wine/',
    ])
    expect(pathHistory(contentPath, object('a', null), find)).to.deep.equal([])
    expect(pathHistory(contentPath, object('a', 'gone'), find)).to.deep.equal([])
  })

  it('has stored paths first, each once, and never the current one', () => {
    const state = object('a', 'wine', { old_paths: ['/x/', '/food/wine/a/', '/drinks/wine/a/'] })
    expect(pathHistory(contentPath, state, find)).to.deep.equal([
      '/x/',
      '/food/wine/a/',
      '/drinks/vine/a/',
      '/beverages/wine/a/',
    ])
  })

  it('has only stored paths for an object without a section', () => {
    for (const { path } of [location, tag])
      if (path !== undefined) {
        const renamed = withEarlierPaths(path, object('old', 'wine'), object('new', 'wine'), find)
        expect(pathHistory(path, renamed, find)).to.deep.equal([`${path.prefix}old/`])
      } else expect.fail('has no path')
  })

  it('stores the path from before a write, the newest first, and derived paths', () => {
    const renamed = withEarlierPaths(contentPath, article, { ...article, urlname: 'b' }, find)
    expect(renamed['old_paths']).to.deep.equal([
      '/drinks/wine/a/',
      '/drinks/vine/a/',
      '/food/wine/a/',
      '/beverages/wine/a/',
    ])
    const moved = withEarlierPaths(contentPath, renamed, { ...renamed, section_uuid: null }, find)
    expect(pathHistory(contentPath, moved, find).slice(0, 2)).to.deep.equal([
      '/drinks/wine/b/',
      '/drinks/wine/a/',
    ])
  })

  it('removes a path that becomes the current one again', () => {
    const there = object('a', null)
    const away = withEarlierPaths(contentPath, there, { ...there, urlname: 'b' }, find)
    const back = withEarlierPaths(contentPath, away, { ...away, urlname: 'a' }, find)
    expect(pathHistory(contentPath, back, find)).to.deep.equal(['/b/'])
    expect(back['old_paths']).to.deep.equal(['/b/'])
  })

  it('has at most a thousand paths, the newest', () => {
    const old_paths = Array.from({ length: maxPaths }, (_, index) => `/${index}/`)
    const full = object('a', 'wine', { old_paths })
    const renamed = withEarlierPaths(contentPath, full, { ...full, urlname: 'b' }, find)
    expect(renamed['old_paths']).to.deep.equal(['/drinks/wine/a/', ...old_paths.slice(0, -1)])
    expect(pathHistory(contentPath, renamed, find)).to.have.lengthOf(maxPaths)
  })
})

describe('an added path', () => {
  const add = (state: JsonObject, path: unknown) => addOldPath(state, { path } as JsonObject, valueContext)

  it('is after the others, once', () => {
    const once = add(object('a', null, { old_paths: ['/x/'] }), '/y')
    expect(E.isRight(once) && once.right['old_paths']).to.deep.equal(['/x/', '/y'])
    expect(E.isRight(once) && add(once.right, '/y')).to.deep.equal(once)
  })

  it('reappears if it was removed', () => {
    const without = replaced(contentPath, article, [], sections)
    expect(pathHistory(contentPath, without, find)).to.deep.equal([])
    const again = add(without, '/food/wine/a/')
    expect(E.isRight(again) && pathHistory(contentPath, again.right, find)).to.deep.equal(['/food/wine/a/'])
  })

  it('is a path, and one of at most a thousand', () => {
    for (const path of [
      undefined,
      null,
      7,
      '',
      'x/',
      'https://example.org/',
      '//example.org/',
      '/a b',
      '/a?b',
      '/a#b',
      '/<a>',
      '/"',
      '/\n',
    ])
      expect(E.isLeft(add(article, path)), String(path)).to.equal(true)
    const result = addOldPath(article, {}, valueContext)
    expect(E.isLeft(result) && codes(result.left)).to.deep.equal({ path: 'required' })
    const full = object('a', null, { old_paths: Array.from({ length: maxPaths }, (_, index) => `/${index}`) })
    expect(E.isLeft(add(full, '/new'))).to.equal(true)
    expect(E.isRight(add(full, '/7'))).to.equal(true)
  })
})

describe('a replaced path history', () => {
  it('reports each fault at its item', () => {
    const sent = (input: JsonObject) => replaceOldPaths(contentPath, article, input, find, valueContext)
    const pathsOf = (input: JsonObject) => {
      const result = sent(input)
      return E.isLeft(result) ? result.left.map(({ path }) => path) : []
    }
    for (const input of [{}, { items: null }, { items: {} }]) expect(pathsOf(input)).to.deep.equal(['items'])
    expect(pathsOf({ items: [{ path: '/a' }, {}, 'x', { path: 'a' }, { path: 1 }] })).to.deep.equal([
      'items.1.path',
      'items.2',
      'items.3.path',
      'items.4.path',
    ])
    expect(pathsOf({ items: Array.from({ length: maxPaths + 1 }, () => ({ path: '/a' })) })).to.deep.equal([
      'items',
    ])
  })

  it('by an empty list has no derived paths until a section changes again', () => {
    const empty = replaced(contentPath, article, [], sections)
    expect(pathHistory(contentPath, empty, find)).to.deep.equal([])
    const renamed = { ...sections, wine: aSection('red', 'drinks', ['/drinks/wine/', '/drinks/vine/']) }
    expect(pathHistory(contentPath, empty, finder(renamed))).to.deep.equal([
      '/drinks/wine/a/',
      '/food/red/a/',
      '/beverages/red/a/',
    ])
  })

  const name = fc.constantFrom('a', 'b', 'c')
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => `/${names.join('/')}/`)
  const paths = fc.array(path, { maxLength: 6 })
  const trees = fc.record({
    outer: fc.record({ urlname: name, old: paths }),
    inner: fc.record({ urlname: name, old: paths }),
    own: fc.record({ urlname: name, old: paths, hidden: paths }),
    deep: fc.boolean(),
  })
  const treesAndStates = trees.map(({ outer, inner, own, deep }) => ({
    tree: {
      outer: aSection(outer.urlname, null, outer.old),
      inner: aSection(inner.urlname, deep ? 'outer' : null, inner.old),
    },
    state: object(own.urlname, 'inner', { old_paths: own.old, hidden_paths: own.hidden }),
  }))

  it('is exactly what was sent, without the current path', () => {
    fc.assert(
      fc.property(treesAndStates, paths, ({ tree, state }, items) => {
        const after = replaced(contentPath, state, items, tree)
        const current = publicPath(contentPath, after, finder(tree))
        expect(pathHistory(contentPath, after, finder(tree))).to.deep.equal(
          [...new Set(items)].filter((each) => each !== current),
        )
      }),
      { numRuns: 500 },
    )
  })

  it('by the same list does not change the stored state', () => {
    fc.assert(
      fc.property(treesAndStates, ({ tree, state }) => {
        expect(
          replaced(contentPath, state, pathHistory(contentPath, state, finder(tree)), tree),
        ).to.deep.equal(state)
      }),
    )
  })

  it('is correct also if sections have more old paths than an object may have', () => {
    const many = (from: string) => Array.from({ length: maxPaths }, (_, index) => `/${from}${index}/`)
    const tree = { outer: aSection('outer', null, many('o')), inner: aSection('inner', 'outer', many('i')) }
    const state = object('a', 'inner', { old_paths: many('own').slice(0, 600) })
    const shown = pathHistory(contentPath, state, finder(tree))
    expect(shown).to.have.lengthOf(maxPaths)
    expect(replaced(contentPath, state, shown, tree)).to.deep.equal(state)
    for (const items of [[], ['/x/'], shown.slice(500)])
      expect(pathHistory(contentPath, replaced(contentPath, state, items, tree), finder(tree))).to.deep.equal(
        items,
      )
  })

  it('is correct for the longest possible path', () => {
    const longest = 'x'.repeat(255)
    const deep = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [
        `s${index}`,
        aSection(longest, index === 19 ? null : `s${index + 1}`, index === 19 ? ['/y/'] : []),
      ]),
    )
    const state = withEarlierPaths(contentPath, object(longest, 's0'), object('a', 's0'), finder(deep))
    const shown = pathHistory(contentPath, state, finder(deep))
    expect(shown).to.have.lengthOf(3)
    expect(replaced(contentPath, state, [...shown].toReversed(), deep)['old_paths']).to.have.lengthOf(3)
  })
})

describe('through any sequence of writes', () => {
  type Objects = Record<string, JsonObject>
  const names = fc.constantFrom('p', 'q', 'r')
  const step = fc.record({
    id: fc.constantFrom('outer', 'inner', 'article'),
    change: fc.oneof(
      names.map((urlname) => ({ urlname })),
      fc.constantFrom(null, 'outer', 'inner').map((parent) => ({ parent })),
    ),
  })

  it('contains every earlier path of an object', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 15 }), (steps) => {
        const objects: Objects = {
          outer: aSection('o', null),
          inner: aSection('i', 'outer'),
          article: object('a', 'inner'),
        }
        const seek = (collection: string, id: string) => (collection === 'sections' ? objects[id] : undefined)
        const ruleOf = (id: string) => (id === 'article' ? contentPath : sectionPath)
        const pathOf = (id: string) => publicPath(ruleOf(id), objects[id] ?? {}, seek)
        const had = new Map(Object.keys(objects).map((id) => [id, new Set([pathOf(id)])]))
        for (const { id, change } of steps) {
          const before = objects[id] ?? {}
          const isCycle =
            'parent' in change &&
            id !== 'article' &&
            change.parent !== null &&
            (id === 'outer' || change.parent === id)
          if (isCycle) continue
          const after =
            'parent' in change
              ? { ...before, [id === 'article' ? 'section_uuid' : 'parent_uuid']: change.parent }
              : { ...before, ...change }
          objects[id] = withEarlierPaths(ruleOf(id), before, after, seek)
          for (const each of Object.keys(objects)) had.get(each)?.add(pathOf(each))
        }
        for (const [id, paths] of had) {
          const expected = [...paths].filter((each) => each !== pathOf(id))
          expect(pathHistory(ruleOf(id), objects[id] ?? {}, seek)).to.include.members(expected)
        }
      }),
      { numRuns: 500 },
    )
  })
})

import { expect } from 'chai'
import { describe, it } from 'mocha'
import {
  movedBelow,
  reordered,
  treeOf,
  withChanges,
  type SectionNode,
  type SectionRow,
} from './section-tree.js'

const row = (uuid: string, parent: string | null, ord: number | null): SectionRow => ({
  uuid,
  title: uuid,
  parent,
  ord,
  isHidden: false,
  path: null,
})

type Names = readonly (readonly [string, Names])[]
const namesOf = (nodes: readonly SectionNode[]): Names =>
  nodes.map(({ uuid, children }) => [uuid, namesOf(children)])

describe('treeOf', () => {
  it('has sections below their parents, in the order of the rows', () => {
    const rows = [row('b', null, 1), row('d', 'b', 1), row('a', null, 2), row('c', 'b', 2), row('e', 'd', 1)]
    expect(namesOf(treeOf(rows))).to.deep.equal([
      [
        'b',
        [
          ['d', [['e', []]]],
          ['c', []],
        ],
      ],
      ['a', []],
    ])
  })

  it('has a section whose parent is unknown at the top', () => {
    expect(namesOf(treeOf([row('a', 'gone', 1)]))).to.deep.equal([['a', []]])
  })
})

describe('reordered', () => {
  it('changes only sections whose position differs', () => {
    expect(reordered([row('a', null, 1), row('c', null, 3), row('b', null, 2)])).to.deep.equal([
      { section: row('c', null, 3), changes: { ord: 2 } },
      { section: row('b', null, 2), changes: { ord: 3 } },
    ])
    expect(reordered([row('a', null, null)])).to.deep.equal([
      { section: row('a', null, null), changes: { ord: 1 } },
    ])
  })
})

describe('movedBelow', () => {
  it('is after the last sibling', () => {
    const siblings = [row('b', 'p', 4), row('c', 'p', null)]
    expect(movedBelow(row('a', null, 1), 'p', siblings)).to.deep.equal({
      section: row('a', null, 1),
      changes: { parent_uuid: 'p', ord: 5 },
    })
    expect(movedBelow(row('a', 'p', 1), null, [])).to.deep.equal({
      section: row('a', 'p', 1),
      changes: { parent_uuid: null, ord: 1 },
    })
  })
})

describe('withChanges', () => {
  it('has the moved sections at their new places', () => {
    const rows = [row('a', null, 1), row('b', null, 2), row('c', null, null)]
    expect(withChanges(rows, reordered([row('b', null, 2), row('a', null, 1)]))).to.deep.equal([
      row('b', null, 1),
      row('a', null, 2),
      row('c', null, null),
    ])
    expect(withChanges(rows, [movedBelow(row('b', null, 2), 'a', [])])[1]).to.deep.equal(row('b', 'a', 1))
    expect(withChanges([row('b', 'a', 1)], [movedBelow(row('b', 'a', 1), null, [])])).to.deep.equal([
      row('b', null, 1),
    ])
  })
})

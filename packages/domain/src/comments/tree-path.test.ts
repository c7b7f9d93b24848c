/** Positions of comments in their tree: texts whose order is the order of the tree. */
import fc from 'fast-check'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { depthOf, maxCommentDepth, maxTreePathLength, treePath } from './tree-path.js'

const id = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
const at = (second: number): string => `2026-03-01T13:00:${String(second).padStart(2, '0')}`

describe('the position of a comment', () => {
  it('is after those of earlier siblings and of all replies to them', () => {
    const first = treePath('', at(1), null, id)
    const second = treePath('', at(2), null, id)
    const reply = treePath(first, at(9), null, id)
    const deep = treePath(reply, at(10), null, id)
    expect([second, deep, reply, first].toSorted()).to.deep.equal([first, reply, deep, second])
  })

  it('distinguishes siblings of the same time by a number', () => {
    const paths = [treePath('', at(1), null, id)]
    for (let index = 1; index < 100; index += 1) paths.push(treePath('', at(1), paths.at(-1) ?? null, id))
    expect(paths.toSorted()).to.deep.equal(paths)
    expect(new Set(paths).size).to.equal(100)
  })

  it('follows the time to the millisecond, in all years', () => {
    const times = [
      '0001-01-01T00:00:00',
      '1999-12-31T23:59:59.999999999',
      '2026-03-01T13:00:00',
      '2026-03-01T13:00:00.001',
      '2026-03-01T13:00:00.02',
      '2026-03-01T13:00:00.1',
      '9999-12-31T23:59:59.999',
    ]
    const paths = times.map((created) => treePath('', created, null, id))
    expect(paths.toSorted()).to.deep.equal(paths)
    expect(new Set(paths.map(({ length }) => length)).size).to.equal(1)
  })

  it('has one segment for each level', () => {
    let path = ''
    for (let depth = 1; depth <= maxCommentDepth; depth += 1) {
      path = treePath(path, at(depth), null, id)
      expect(depthOf(path)).to.equal(depth)
    }
    expect(path).to.have.lengthOf(maxTreePathLength)
    expect(depthOf('')).to.equal(0)
  })

  it('orders any tree depth first', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1000), fc.nat(59)), { maxLength: 40 }), (sent) => {
        type Node = { readonly path: string; readonly created: string; readonly replies: Node[] }
        const root: Node = { path: '', created: '', replies: [] }
        const nodes = [root]
        for (const [parentIndex, second] of sent) {
          const parent = nodes[parentIndex % nodes.length] ?? root
          if (depthOf(parent.path) === maxCommentDepth) continue
          const created = at(second)
          const last = parent.replies.findLast((each) => each.created === created)
          const node = { path: treePath(parent.path, created, last?.path ?? null, id), created, replies: [] }
          parent.replies.push(node)
          nodes.push(node)
        }
        const depthFirst = ({ path, replies }: Node): readonly string[] => [
          path,
          ...replies
            .toSorted((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : 0))
            .flatMap(depthFirst),
        ]
        expect(nodes.map(({ path }) => path).toSorted()).to.deep.equal(depthFirst(root))
      }),
    )
  })
})

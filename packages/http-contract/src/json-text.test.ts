import type { Fault, Problem } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import type { Json, JsonObject } from '@publishing-service/domain/json'
import { anyCharacter } from '@publishing-service/domain/testing/arbitraries'
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { bodyLimits, parseObject } from './json-text.js'

const problemOf = (text: string): Problem => {
  const result = parseObject(text)
  if (E.isRight(result)) throw new Error(`taken: ${text}`)
  return result.left
}

const reasonOf = (text: string): string => {
  const problem = problemOf(text)
  if (problem._tag !== 'BadRequest') throw new Error(`${text}: ${JSON.stringify(problem)}`)
  return problem.reason
}

const faultsOf = (text: string): readonly Fault[] => {
  const problem = problemOf(text)
  if (problem._tag !== 'BadParameters') throw new Error(`${text}: ${JSON.stringify(problem)}`)
  return problem.faults
}

type Position = { readonly line: number; readonly column: number }

const positionIn = (reason: string): Position => {
  const [, line, column] = /line (\d+), column (\d+)/.exec(reason) ?? []
  if (line === undefined) throw new Error(`no position: ${reason}`)
  return { line: Number(line), column: Number(column) }
}

const positionAt = (text: string, offset: number): Position => {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 }
}

const depthOf = (value: Json): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value as JsonObject).map(depthOf))
    : 0

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

const objects = fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue()) as fc.Arbitrary<JsonObject>
/** Objects as people write them: with line breaks and spaces. */
const texts = fc
  .tuple(objects, fc.constantFrom(undefined, 2, '\t'))
  .map(([value, space]) => JSON.stringify(value, null, space))

/** Parts of JSON, and what other languages have that JSON hasn't. */
const strangePieces: readonly string[] = [
  '{ } [ ] : , " \\ / //x /**/ 0 01 1. - 1e .5 tru NaN undefined "\\x" "\\u12" ü'.split(' '),
  ["'a'", '\n', '\t', '\u0000', '\u00a0', '\ufeff', '\u2028'],
].flat()

describe('the text of a body', () => {
  it('has the value that JSON.parse returns', () =>
    fc.assert(
      fc.property(texts, (text) => {
        const value = JSON.parse(text) as JsonObject
        fc.pre(depthOf(value) <= bodyLimits.depth)
        expect(parseObject(text)).to.deep.equal(E.right(value))
      }),
    ))

  it('is JSON or is rejected with a position inside it', () => {
    const pieces = fc.constantFrom(...strangePieces)
    const broken = fc.tuple(texts, fc.nat(), fc.nat(3), pieces).map(([text, at, left, piece]) => {
      const index = at % (text.length + 1)
      return text.slice(0, index) + piece + text.slice(index + left)
    })
    fc.assert(
      fc.property(
        fc.oneof(
          broken,
          fc.array(pieces).map((each) => each.join('')),
        ),
        (text) => {
          fc.pre(text.trim() !== '' && !isJson(text))
          const reason = reasonOf(text)
          if (reason.includes('deeper')) return
          const lines = text.split(/\r\n|\r|\n/)
          const { line, column } = positionIn(reason)
          expect(line).to.be.within(1, lines.length)
          expect(column).to.be.within(1, (lines[line - 1] ?? '').length + 1)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('that ends too early is rejected at its end', () =>
    fc.assert(
      fc.property(texts, fc.nat(), (text, at) => {
        const cut = text.slice(0, at % text.length).trimEnd()
        fc.pre(cut !== '')
        const { line, column } = positionIn(reasonOf(cut))
        const end = positionAt(cut, cut.length)
        expect(line).to.equal(end.line)
        expect(column).to.be.at.most(end.column)
        // Only an unfinished string, number or word follows the position.
        const rest = (cut.split('\n')[line - 1] ?? '').slice(column - 1)
        expect(rest).to.match(/^(?:"(?:[^"\\]|\\.)*\\?|[\w.+-]*)$/)
      }),
    ))

  it('with an unexpected character between its parts is rejected at that position', () => {
    const strange = fc.constantFrom('@', '#', ';', '\u00a0', '\u2028')
    fc.assert(
      fc.property(objects, fc.nat(), strange, (value, at, character) => {
        // Between parts: after the colon, where a value is expected.
        const text = JSON.stringify({ first: null, value }, null, 2)
        const ends = [...text.matchAll(/^(?:[^"]*)"(?:[^"\\]|\\.)*":/gm)].map(
          ({ index, 0: found }) => index + found.length,
        )
        const offset = ends[at % ends.length] ?? 0
        const wrong = `${text.slice(0, offset)} ${character}${text.slice(offset)}`
        expect(positionIn(reasonOf(wrong))).to.deep.equal(positionAt(wrong, offset + 1))
      }),
    )
  })

  it('that is empty is reported as empty', () => {
    for (const text of ['', ' \n\t'])
      expect(reasonOf(text)).to.equal('the body is empty; a JSON object is expected')
  })

  it('that is not an object is rejected', () =>
    fc.assert(
      fc.property(
        fc.oneof(fc.array(fc.jsonValue()), fc.string(), fc.integer(), fc.constant(null)),
        (value) => {
          const text = JSON.stringify(value)
          fc.pre(depthOf(value as Json) <= bodyLimits.depth)
          expect(faultsOf(text)).to.deep.equal([{ path: '', code: 'type', message: 'must be a JSON object' }])
        },
      ),
    ))

  it('reports each duplicate key with its path and second position, in any spelling', () => {
    const text = '{"a": 1, "b": {"c": [{"d": 1, "d": 2}]},\n "\\u0061": 2, "b": 3, "b": 4}'
    expect(faultsOf(text).map(({ path }) => path)).to.deep.equal(['b.c.0.d', 'a', 'b', 'b'])
    expect(faultsOf(text)[1]?.message).to.equal('is a duplicate key, repeated at line 2, column 2')
  })

  it('finds a duplicate key at any position', () =>
    fc.assert(
      fc.property(objects, fc.string({ unit: anyCharacter }), fc.nat(20), (value, key, depth) => {
        fc.pre(depthOf(value) + depth < bodyLimits.depth - 1)
        const doubled = `{${JSON.stringify(key)}:1,${JSON.stringify(key)}:${JSON.stringify(value)}}`
        const text = `${'{"o":['.repeat(Math.floor(depth / 2))}${doubled}${']}'.repeat(Math.floor(depth / 2))}`
        const faults = faultsOf(text)
        expect(faults).to.have.lengthOf(1)
        const path = [...Array.from({ length: Math.floor(depth / 2) }, () => 'o.0'), key].join('.')
        expect(faults[0]?.path).to.equal(path)
      }),
    ))

  it('accepts names of the prototype as keys', () => {
    for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const result = parseObject(`{"${key}": {"a": 1}}`)
      expect(E.isRight(result) && Object.entries(result.right)).to.deep.equal([[key, { a: 1 }]])
      expect(faultsOf(`{"${key}": 1, "${key}": 2}`).map(({ path }) => path)).to.deep.equal([key])
    }
  })

  it('reports numbers out of range with their paths', () => {
    const text = '{"a": 1e999, "b": [1, -1e999], "c": 1e308}'
    expect(faultsOf(text).map(({ path }) => path)).to.deep.equal(['a', 'b.1'])
  })

  // docs/behaviour/limits.md#json
  it('has a maximum depth, for which brackets in texts do not count', () => {
    const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    expect(E.isRight(parseObject(nested(bodyLimits.depth)))).to.equal(true)
    expect(reasonOf(nested(bodyLimits.depth + 1))).to.equal(
      `lists and objects nest deeper than ${bodyLimits.depth} levels`,
    )
    expect(reasonOf('['.repeat(100_000))).to.include('deeper')
    expect(E.isRight(parseObject(JSON.stringify({ a: '[{"'.repeat(100) })))).to.equal(true)
  })

  it('has a maximum number of keys and values', () => {
    const { keys, values } = bodyLimits
    const object = (count: number): string =>
      `{${Array.from({ length: count }, (_, index) => `"k${index}":":,"`).join(',')}}`
    expect(E.isRight(parseObject(object(keys)))).to.equal(true)
    expect(E.isRight(parseObject(`{"a":[${object(keys)},${object(keys)}]}`))).to.equal(true)
    for (const text of [
      object(keys + 1),
      `{"a":[{},${object(keys + 1)}]}`,
      `{"a":{},${object(keys).slice(1)}`,
    ])
      expect(problemOf(text)._tag).to.equal('BadRequest')
    // The object and its one value, the list, count too.
    const list = (count: number): string => `{"a":[${'1,'.repeat(count - 1)}1]}`
    expect(E.isRight(parseObject(list(values - 1)))).to.equal(true)
    expect(problemOf(list(values))._tag).to.equal('BadRequest')
    expect(problemOf(`{"a":[${'{},'.repeat(values)}`)._tag).to.equal('BadRequest')
  })
})

/** Runs the examples of the domain's README, each with the imports that the README shows. */
import { transformSync } from '@swc/core'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { rm, writeFile } from 'node:fs/promises'
import { blocksOf, readDocument } from './documents.js'

const [imports, ...examples] = blocksOf(readDocument('packages/domain/README.md')).filter(
  ({ language }) => language === 'ts',
)

describe('the examples of the domain', () => {
  it('are all of the README', () => {
    expect(examples.length).to.be.above(6)
  })

  for (const { line, text } of examples)
    it(`hold: line ${line}`, async () => {
      const source = `${imports?.text}\n${text}`
      const { code } = transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } })
      // In this folder, so that the packages of the project are found.
      const file = new URL(`example-${process.pid}-${line}.mjs`, import.meta.url)
      await writeFile(file, code)
      try {
        await import(file.href)
      } finally {
        await rm(file)
      }
    })
})

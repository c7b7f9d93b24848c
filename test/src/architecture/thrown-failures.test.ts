/** Failures are thrown by functions whose types say which (docs/decisions/0078-failures-end-operations.md). */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { describe, it } from 'mocha'

/** Who runs operations, and so hands over what they may fail with. */
const running = new Set(['attempt.ts', 'index.ts', 'open-session.ts', 'open-on-deployment.ts'])

const sources = fileURLToPath(new URL('../../../packages/application/src/', import.meta.url))

/** Throwing functions of their own, and failures that no operation has. */
const exceptions = [
  /^attempt\.ts$/,
  // The failure is one of a generic type.
  /^instance-store\.ts$/,
  /^store-identity\.ts$/,
  /^storage-copy\//,
  /^backup\//,
  /^bundle\//,
  /^test-support\//,
  /\.test\.ts$/,
]

/** `error` is what a `catch` has received. */
const thrown = /\bthrow (?!new |error\b(?!\.)|defects\[0\])/

const filesBut = (excluded: (file: string) => boolean): readonly string[] =>
  readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !excluded(file),
  )

const textOf = (file: string): string => readFileSync(`${sources}${file}`, 'utf8')

describe('the application', () => {
  it('throws failures by functions that take those alone which an operation may end with', () => {
    const files = filesBut((file) => exceptions.some((exception) => exception.test(file)))
    expect(files.length).to.be.greaterThan(100)
    const found = files.flatMap((file) =>
      textOf(file)
        .split('\n')
        .filter((line) => thrown.test(line) && !/^\s*(?:\*|\/)/.test(line))
        .map((line) => `${file}: ${line.trim()}`),
    )
    expect(found).to.deep.equal([])
  })

  it('has any failure thrown by who runs operations alone', () => {
    const others = filesBut((file) => running.has(file) || /^test-support\/|\.test\.ts$/.test(file))
    expect(others.filter((file) => textOf(file).includes('failWithAny'))).to.deep.equal([])
  })
})

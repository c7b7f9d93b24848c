import type { CopyProgress } from '@publishing-service/application'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { progressDisplay } from './progress-display.js'

/** What a stream was given while a clock went from one progress to the next. */
const shown = (
  isTTY: boolean,
  ...progresses: readonly (readonly [milliseconds: number, progress: CopyProgress])[]
): string => {
  let [text, time] = ['', 0]
  const display = progressDisplay({ isTTY, write: (more) => (text += more) }, () => time)
  for (const [milliseconds, progress] of progresses) {
    time = milliseconds
    display.update(progress)
  }
  display.end()
  display.end()
  return text
}

const documents = (done: number): CopyProgress => ({ step: 'copy documents', done, total: 2000 })
const bytes = (done: number): CopyProgress => ({ step: 'compare blobs', done, total: 3_000_000 })

describe('progressDisplay', () => {
  it('writes a line every ten seconds, and one for each step that has ended', () => {
    const text = shown(
      false,
      [0, documents(0)],
      [5000, documents(400)],
      [10_000, documents(500)],
      [19_999, documents(1000)],
      [40_000, documents(2000)],
      [40_000, bytes(0)],
      [41_000, bytes(3_000_000)],
    )
    expect(text.split('\n')).to.deep.equal([
      'Copying 2,000 documents: 0 %',
      'Copying 2,000 documents: 25 %, 30 s left',
      'Copying 2,000 documents: 100 %',
      'Copied 2,000 documents in 40 s',
      'Comparing 3 MB of file data: 0 %',
      'Compared 3 MB of file data in 1.0 s',
      '',
    ])
  })

  it('draws one line anew on a terminal, ten times a second at most', () => {
    const text = shown(true, [0, documents(0)], [99, documents(1)], [1000, documents(1000)])
    expect(text.split('\r\u001B[2K')).to.deep.equal([
      '',
      'Copying 2,000 documents: 0 %',
      'Copying 2,000 documents: 50 %, 1.0 s left',
      'Copied 50 % of 2,000 documents in 1.0 s\n',
    ])
  })

  it('shows a step without data, or with more than its total, as complete', () => {
    expect(shown(false, [0, { step: 'copy blobs', done: 0, total: 0 }])).to.equal(
      'Copying 0 bytes of file data: 100 %\nCopied 0 bytes of file data in 0.0 s\n',
    )
    expect(shown(false, [0, documents(2001)])).to.include('Copying 2,000 documents: 100 %\n')
  })

  it('prints a message on a separate line, and continues with the step', () => {
    for (const isTTY of [false, true]) {
      let text = ''
      const display = progressDisplay({ isTTY, write: (more) => (text += more) }, () => 0)
      display.update(documents(1000))
      display.printLine('Trouble.')
      display.update(documents(1000))
      expect(text).to.match(/Copied 50 % of 2,000 documents [^\n]*\nTrouble\.\n[^\n]*Copying 2,000 documents/)
    }
  })

  it('writes nothing without updates', () => {
    expect(shown(true)).to.equal('')
  })
})

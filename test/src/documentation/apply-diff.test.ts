/** Diffs of the guide: they apply to files as they were written for, with more in them, or after they were applied. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { applyDiff, parseDiff } from './apply-diff.js'

const [list, created] = parseDiff(`--- a/list.ts
+++ b/list.ts
@@ -1 +1,2 @@
+import { b } from 'b'
 import { c } from 'c'
@@ -4,5 +5,5 @@ const list = [
   a,
+  b,
   c,
-  d,
+  e,
 ]
--- /dev/null
+++ b/b.ts
@@ -0,0 +1,2 @@
+export const b = 1
+export const more = 2
`)

const before = [
  "import { c } from 'c'",
  '',
  'const others = [',
  '  a,',
  ']',
  'const list = [',
  '  a,',
  '  c,',
  '  d,',
  ']',
  '',
]
const after = [
  "import { b } from 'b'",
  "import { c } from 'c'",
  '',
  'const others = [',
  '  a,',
  ']',
  'const list = [',
  '  a,',
  '  b,',
  '  c,',
  '  e,',
  ']',
  '',
]

const apply = (lines: readonly string[]): readonly string[] => {
  if (list === undefined) throw new Error('no file')
  return applyDiff(list, lines.join('\n')).split('\n')
}

const without = (lines: readonly string[], ...some: readonly string[]): readonly string[] =>
  lines.filter((line) => !some.includes(line))

describe('a diff of the guide', () => {
  it('adds and removes lines where these stand', () => {
    expect(apply(before)).to.deep.equal(after)
  })

  it('changes nothing where it was applied', () => {
    expect(apply(after)).to.deep.equal(after)
    expect(apply(without(after, "import { b } from 'b'"))).to.deep.equal(after)
  })

  it('adds its lines beside those that others have added there', () => {
    const others = before.flatMap((line) => (line === '  a,' ? [line, '  aa,'] : [line]))
    expect(apply(["import { a } from 'a'", ...others])).to.deep.equal([
      "import { a } from 'a'",
      "import { b } from 'b'",
      "import { c } from 'c'",
      '',
      'const others = [',
      '  a,',
      '  aa,',
      ']',
      'const list = [',
      '  a,',
      '  b,',
      '  aa,',
      '  c,',
      '  e,',
      ']',
      '',
    ])
  })

  it('fails for a file without the lines that it shows', () => {
    expect(() => apply(without(before, '  c,'))).to.throw('list.ts has not all of these lines in this order')
  })

  it('has the text of a new file, whether that exists or not', () => {
    if (created === undefined) throw new Error('no file')
    for (const text of [null, 'export const b = 0\n'])
      expect(applyDiff(created, text)).to.equal('export const b = 1\nexport const more = 2\n')
  })
})

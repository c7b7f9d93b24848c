/** All redirects of a website as one list (docs/behaviour/paths.md#redirects-as-a-file). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { redirectList, type OwnRedirect } from './redirect-list.js'

const own = (pattern: string, template: string, permanent = true): OwnRedirect => ({
  pattern,
  template,
  permanent,
})

const linesOf = (...options: Parameters<typeof redirectList>): readonly string[] =>
  redirectList(...options).map(({ from, to, status, keepsQuery }) =>
    [from, to, status, ...(keepsQuery ? ['with query'] : [])].join(' '),
  )

describe('the list of redirects', () => {
  it('has earlier paths of objects, then the redirects in their order', () => {
    const objects = [
      { current: '/new/', former: ['/old/', '/older/'] },
      { current: '/other/', former: [] },
    ]
    expect(linesOf(objects, [own('/a', '/b/', false), own('/t/**', '/u/\\1')])).to.deep.equal([
      '/old/ /new/ 301 with query',
      '/older/ /new/ 301 with query',
      '/a /b/ 302',
      '/t/** /u/\\1 301 with query',
    ])
  })

  it('leads from no path of an object, and from each path once, however it is written', () => {
    const objects = [
      { current: '/New/', former: ['/other/', '/old/'] },
      { current: '/other/', former: ['/%6fld/', '/', '/new'] },
    ]
    expect(linesOf(objects, [own('/OLD', '/x/'), own('/other', '/x/'), own('/new/**', '/x/')])).to.deep.equal(
      ['/old/ /New/ 301 with query', '/new/** /x/ 301'],
    )
  })

  it('applies the first redirect that matches a path, also if that is a pattern', () => {
    const rules = [
      own('/t/first', '/1/'),
      own('/t/**', '/u/\\1', false),
      own('/t/second', '/2/\\1'),
      own('/v', '/3/\\1'),
    ]
    expect(linesOf([], rules)).to.deep.equal([
      '/t/first /1/ 301',
      '/t/** /u/\\1 302 with query',
      '/t/second /u/second 302',
      '/v /3/ 301',
    ])
  })
})

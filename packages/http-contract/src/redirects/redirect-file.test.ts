/** Redirects as files of hosts (docs/behaviour/paths.md#redirects-as-a-file). */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { ListedRedirect } from '@publishing-service/domain/paths'
import { redirectFile } from './redirect-file.js'

const exact = (from: string, to: string, status: 301 | 302 = 301): ListedRedirect => ({
  from,
  to,
  status,
  keepsQuery: false,
})

const redirects: readonly ListedRedirect[] = [
  { from: '/über/old/', to: '/new/', status: 301, keepsQuery: true },
  exact('/shop', 'https://shop.example.org/?a=$1', 302),
  exact('/trams/**', '/transport/trams/\\1'),
  exact('/a.b/**/c', '/\\1/d/'),
  exact('/article.php?id=7', '/seven/'),
]

/** The lines of a file without comments. */
const linesOf = (...options: Parameters<typeof redirectFile>): readonly string[] =>
  redirectFile(...options)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))

describe('the file of redirects', () => {
  it('of Netlify has a line for each, and a comment for a pattern that it does not have', () => {
    expect(linesOf('netlify', redirects)).to.deep.equal([
      '/%C3%BCber/old/ /new/ 301',
      '/shop https://shop.example.org/?a=$1 302',
      '/trams/* /transport/trams/:splat 301',
      '/article.php id=7 /seven/ 301',
    ])
    expect(redirectFile('netlify', redirects)).to.match(/^# .*\/a\.b\/\*\*\/c/m)
  })

  it('of nginx maps paths, with and without a slash at the end, and paths with queries', () => {
    expect(linesOf('nginx', redirects).slice(2)).to.deep.equal([
      'map $request_uri $publishing_path {',
      '"~^(?<publishing_requested>[^?]*)" $publishing_requested;',
      '}',
      'map $publishing_path $publishing_path_redirect {',
      '"~*^/(?:%C3%BC|%C3%9C)ber/old/?$" "301 /new/$is_args$args";',
      '"/shop/" "302 https://shop.example.org/?a=%241";',
      '"/shop" "302 https://shop.example.org/?a=%241";',
      '"~*^/trams/(?<publishing_rest>.*)$" "301 /transport/trams/$publishing_rest";',
      '"~*^/a\\.b//*(?<publishing_rest>.*)/c/?$" "301 /$publishing_rest/d/";',
      '}',
      'map $request_uri $publishing_redirect {',
      'default $publishing_path_redirect;',
      '"/article.php?id=7" "301 /seven/";',
      '}',
    ])
  })

  it('of Netlify has no pattern with a segment that would match any text', () => {
    for (const from of ['/:any/', '/a/:b', '/:c/**']) {
      expect(linesOf('netlify', [exact(from, '/x/')]), from).to.deep.equal([])
      expect(redirectFile('netlify', [exact(from, '/x/')])).to.match(/^# No pattern/)
    }
    expect(linesOf('netlify', [exact('/a:b/', '/x/')])).to.deep.equal(['/a:b/ /x/ 301'])
  })

  it('of nginx compares letters of all scripts without their case, and percent-encoded ones as letters', () => {
    const keyOf = (from: string): string => {
      const lines = linesOf('nginx', [exact(from, '/x/')])
      return /^"(.*)" "301/.exec(lines.find((line) => line.includes('" "301')) ?? '')?.[1] ?? ''
    }
    for (const [from, requested] of [
      ['/ü/', '/%C3%9C/'],
      ['/Ü', '/%c3%bc/'],
      ['/%C3%BC/', '/%C3%9C'],
      ['/новости/', '/%D0%9D%D0%9E%D0%92%D0%9E%D0%A1%D0%A2%D0%98/'],
      ['/ł/**', '/%C5%81/x'],
      ['/a?ü=1', '/A?%C3%9C=1'],
    ] as const) {
      const key = keyOf(from)
      expect(key, from).to.match(/^~\*/)
      const expression = new RegExp(key.slice(2), 'i')
      expect(expression.test(requested), `${from} ${requested}`).to.equal(true)
      expect(expression.test(`/y${requested}`)).to.equal(false)
    }
    expect(keyOf('/東京/')).to.equal('/%E6%9D%B1%E4%BA%AC/')
  })

  it('of nginx has room for many and long paths', () => {
    const many = Array.from({ length: 3000 }, (_, index) => exact(`/${'a'.repeat(200)}/${index}/`, '/new/'))
    expect(linesOf('nginx', many).slice(0, 2)).to.deep.equal([
      'map_hash_max_size 16384;',
      'map_hash_bucket_size 512;',
    ])
  })
})

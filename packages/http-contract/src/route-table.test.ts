import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import type { Endpoint } from './endpoint.js'
import { endpoints } from './endpoints.js'
import { createRouteTable } from './route-table.js'

const find = createRouteTable(endpoints)

const literals = [...new Set(endpoints.flatMap(({ path }) => path.split('/')))].filter(
  (segment) => segment !== '' && !segment.startsWith('{'),
)

/** Values of parameters that are not names of other paths. */
const values = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((text) => text.isWellFormed() && !literals.includes(text))

const parametersOf = ({ path }: Endpoint): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

describe('the table of routes', () => {
  it('leads each endpoint’s address to that endpoint, with the values of its parameters', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...endpoints),
        fc.array(values, { minLength: 3, maxLength: 3 }),
        fc.constantFrom('', '/'),
        (endpoint, given, end) => {
          const named = parametersOf(endpoint).map((name, index) => [name, given[index] ?? 'x'] as const)
          let path = endpoint.path
          for (const [name, value] of named) path = path.replace(`{${name}}`, () => encodeURIComponent(value))
          const route = find(path === '/' ? path : `${path}${end}`)
          expect(route?.endpoints.get(endpoint.method)).to.equal(endpoint)
          expect(route?.parameters).to.deep.equal(Object.fromEntries(named))
        },
      ),
    ))

  it('returns exactly the methods of an address', () => {
    const route = find('/1/files/some-id')
    expect([...(route?.endpoints.keys() ?? [])].toSorted()).to.deep.equal([
      'DELETE',
      'GET',
      'PATCH',
      'POST',
      'PUT',
    ])
  })

  it('does not throw for any path', () => {
    const segments = fc.oneof(
      fc.constantFrom(...literals, '', '.', '..', '%', '%ff', '%2F', '1'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(segments), (parts) => {
        const path = `/${parts.join('/')}`
        const route = find(path)
        if (route === null) return
        const depth = path.replace(/(?<=.)\/$/, '').split('/').length
        for (const endpoint of route.endpoints.values())
          expect(endpoint.path.split('/')).to.have.lengthOf(depth)
      }),
    )
  })

  it('finds nothing for an empty or additional segment', () => {
    for (const path of ['', '//', '/1//content', '/1/content/u/slots/s/media/more', '/1/nothing/u'])
      expect(find(path), path).to.equal(null)
  })

  const endpoint = (method: Endpoint['method'], path: string): Endpoint => ({
    kind: 'page',
    operation: 'readPage',
    page: 'reference',
    id: 'readPage',
    description: '',
    responsePayload: { _tag: 'Page' },
    method,
    path,
    summary: path,
    permission: null,
    body: 'none',
    caching: 'none',
    parameters: [],
  })

  it('prefers literals to parameters, with backtracking', () => {
    const table = createRouteTable([
      endpoint('GET', '/{a}/x'),
      endpoint('GET', '/lit/y'),
      endpoint('GET', '/{a}/{b}/z'),
      endpoint('GET', '/lit/y/{c}'),
    ])
    const led = (path: string) => {
      const route = table(path)
      return [route?.endpoints.get('GET')?.path, route?.parameters]
    }
    expect(led('/lit/y')).to.deep.equal(['/lit/y', {}])
    expect(led('/lit/x')).to.deep.equal(['/{a}/x', { a: 'lit' }])
    expect(led('/lit/y/z')).to.deep.equal(['/lit/y/{c}', { c: 'z' }])
    expect(led('/lit/w/z')).to.deep.equal(['/{a}/{b}/z', { a: 'lit', b: 'w' }])
    expect(table('/other/y')).to.equal(null)
  })

  it('rejects a second endpoint for a method and path', () => {
    expect(() => createRouteTable([endpoint('GET', '/a'), endpoint('GET', '/a')])).to.throw('/a')
    expect(() => createRouteTable([endpoint('GET', '/a'), endpoint('PUT', '/a')])).not.to.throw()
  })

  it('finds one of many thousands', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => endpoint('GET', `/{iid}/c${index}/{uuid}`))
    const table = createRouteTable(many)
    expect(table('/1/c19999/u')?.parameters).to.deep.equal({ iid: '1', uuid: 'u' })
    expect(table('/1/c20000/u')).to.equal(null)
  })
})

/**
 * Every attribute that clients set, of every resource, of users, accounts, web hooks and settings: a PATCH of another one
 * keeps it, the audit log names it, who may not change it is refused, and If-Match holds
 * (docs/behaviour/writing.md, docs/behaviour/administration.md).
 */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { randomUUID } from 'node:crypto'
import { resources, type Resource } from '@publishing-service/domain'
import { isJsonObject, jsonEqual, type JsonObject } from '@publishing-service/domain/json'
import type { Shape } from '@publishing-service/domain/declare'
import { segmentsOf } from '@publishing-service/domain/engine'
import { settingsAttributes, subjectsWithVersions } from '@publishing-service/domain/roles'
import { webhookAttributes } from '@publishing-service/domain/webhooks'
import { accountChange, userAttributes } from '@publishing-service/access'
import { expectError, expectOk, expectStatus, rowsOf, uuidOf } from '../harness/expect-response.js'
import type { Api } from '../harness/http-client.js'
import { bodiesOf, requiredBody, variantsOf, writablesOf } from '../harness/valid-bodies.js'
import { sampleOf } from '../harness/value-arbitraries.js'
import { useFixture, type Fixture } from './service-fixture.js'

/** An object whose attributes are changed one after another. */
type Changing = {
  /** Who may change it, and who may not, with the path below the address of each. */
  readonly by: Api
  readonly path: string
  readonly refused: readonly { readonly api: Api; readonly path: string; readonly status: number }[]
  /** Other values, by attribute; an attribute without one is not changed. */
  readonly values: JsonObject
  /** The address of the newest entry about it, with the column `changes`; null if entries do not name attributes. */
  readonly entry: { readonly api: Api; readonly path: string } | null
}

/** Attributes that are changed with another one, by a rule between them. */
const follows: Readonly<Record<string, readonly string[]>> = {
  email: ['email_confirmed'],
  state: ['issued'],
}

/** Changes each attribute by itself, and returns the names of those that were changed. */
const changeEach = async (
  shape: Shape,
  variant: string | null,
  { by, path, refused, values, entry }: Changing,
): Promise<readonly string[]> => {
  const names = writablesOf(shape, variant).flatMap(([name, { kind }]) =>
    // Every change sets the time of the last one.
    kind === 'alias' || name === 'modified' ? [] : [name],
  )
  const read = async () => {
    const response = expectOk(await by.get(path, { 'Cache-Control': 'no-cache' }))
    return { state: response.object, tag: String(response.headers['etag']) }
  }
  const changed: string[] = []
  for (const name of names) {
    const { [name]: value } = values
    if (value === undefined) continue
    const before = await read()
    if (jsonEqual(before.state[name] ?? null, value)) continue
    const body = { [name]: value }
    for (const { api, path: theirs, status } of refused) expectStatus(await api.patch(theirs, body), status)
    expectError(await by.patch(path, body, { 'If-Match': '"another"' }), 412, 'precondition_failed')
    expect((await read()).tag, name).to.equal(before.tag)
    const written = await by.patch(path, body, { 'If-Match': before.tag })
    // A rule between attributes does not permit it for this object.
    if (written.status === 400) continue
    expectOk(written)
    const { state, tag } = await read()
    // It is read in another form, or only the service sets it for this object.
    if (jsonEqual(state[name] ?? null, before.state[name] ?? null)) continue
    changed.push(name)
    expect(tag, name).not.to.equal(before.tag)
    expectError(await by.patch(path, body, { 'If-Match': before.tag }), 412, 'precondition_failed')
    for (const other of names)
      if (other !== name && follows[name]?.includes(other) !== true)
        expect(state[other], `${other} after a change of ${name}`).to.deep.equal(before.state[other])
    if (entry === null) continue
    const [row = []] = rowsOf(await entry.api.get(entry.path))
    expect(isJsonObject(row[0]) ? Object.keys(row[0]) : row[0], `the entry of ${name}`).to.include(name)
  }
  return changed
}

/** Values of each attribute, the same in every run. */
const valuesOf = (shape: Shape): JsonObject =>
  Object.fromEntries(
    writablesOf(shape, null).map(([name, { type }]) => [name, sampleOf(type.schema)] as const),
  )

/** Expects that each of these was changed. */
const expectAll = (changed: readonly string[], values: JsonObject): void => {
  expect(Object.keys(values).filter((name) => !changed.includes(name))).to.deep.equal([])
}

describe('an attribute', () => {
  let fixture: Fixture
  useFixture((set) => {
    fixture = set
  })

  for (const resource of resources)
    for (const variant of variantsOf(resource))
      it(`of ${resource.collection}${variant === null ? '' : ` (${variant})`} is changed by itself`, async () => {
        await changeObject(resource, variant)
      })

  const changeObject = async (resource: Resource, variant: string | null): Promise<void> => {
    const { candidates, home } = fixture
    const id = resource.given === undefined ? randomUUID() : String(fixture.ids.get(resource.collection))
    const path = `/${segmentsOf(resource)}/${id}`
    if (resource.given === undefined)
      expectOk(await home.admin.put(path, requiredBody(resource, variant, id, candidates)))
    const [values = {}] = fc.sample(bodiesOf(resource, variant, candidates), { seed: 4, numRuns: 1 })
    const changed = await changeEach(resource, variant, {
      by: home.admin,
      path,
      refused: [
        { api: home.reader, path, status: 403 },
        { api: home.visitor, path, status: 403 },
      ],
      values,
      entry: subjectsWithVersions.has(resource.collection)
        ? { api: home.admin, path: `/audit?objects=${id}&fields=changes&rpp=1` }
        : null,
    })
    expect(changed, 'changed').not.to.deep.equal([])
  }

  it('of a user is changed by those who manage it, and by nobody else', async () => {
    const { home, other, root } = fixture
    const [operator, elsewhere, editor] = [home.admin, other.admin, home.editor].map(({ token }) =>
      root(token),
    )
    if (operator === undefined || elsewhere === undefined || editor === undefined) throw new Error()
    const roles = [
      { instance: home.number, roles: ['reader'] },
      { instance: other.number, roles: ['reader'] },
    ]
    const user = uuidOf(await operator.post('/users', { name: 'Somebody', roles }))
    const path = `/users/${user}?confirm=true`
    const values = {
      ...valuesOf({ attributes: userAttributes }),
      email: 'somebody@example.org',
      email_confirmed: false,
      operator: true,
      disabled: true,
      roles: roles.map((each) => ({ ...each, roles: ['editor'] })),
    }
    const changed = await changeEach({ attributes: userAttributes }, null, {
      by: operator,
      path,
      refused: [
        { api: elsewhere, path, status: 403 },
        { api: editor, path, status: 403 },
      ],
      values,
      entry: { api: operator, path: `/audit?objects=${user}&fields=changes&rpp=1` },
    })
    expectAll(changed, values)
  })

  it('of an account is changed by its person', async () => {
    const { home, root } = fixture
    const person = root(home.editor.token)
    const { uuid } = expectOk(await person.get('/account')).object
    const { email: _needsSession, ...own } = valuesOf(accountChange)
    const values = { ...own, picture: 'data:image/png;base64,iVBORw0KGgo=' }
    const changed = await changeEach(accountChange, null, {
      by: person,
      path: '/account',
      refused: [{ api: root(null), path: '/account', status: 401 }],
      values,
      entry: { api: root(home.admin.token), path: `/audit?objects=${String(uuid)}&fields=changes&rpp=1` },
    })
    expectAll(changed, values)
  })

  it('of a web hook is changed by an admin', async () => {
    const { home, other } = fixture
    const hook = uuidOf(
      await home.admin.post('/webhooks', { url: 'https://receiver.invalid/', active: false }),
    )
    const path = `/webhooks/${hook}`
    const values = {
      ...valuesOf({ attributes: webhookAttributes }),
      url: 'https://another.invalid/',
      active: true,
    }
    const changed = await changeEach({ attributes: webhookAttributes }, null, {
      by: home.admin,
      path,
      refused: [
        { api: home.editor, path, status: 403 },
        { api: other.admin, path, status: 404 },
      ],
      values,
      entry: null,
    })
    expectAll(changed, values)
  })

  it('of the settings is changed by an admin', async () => {
    const { other } = fixture
    const values = { ...valuesOf({ attributes: settingsAttributes }), timezone: 'America/Lima' }
    const changed = await changeEach({ attributes: settingsAttributes }, null, {
      by: other.admin,
      path: '/settings',
      refused: [{ api: other.editor, path: '/settings', status: 403 }],
      values,
      entry: { api: other.admin, path: '/audit?operations=changeSettings&fields=changes&rpp=1' },
    })
    expect(changed).not.to.deep.equal([])
  })
})

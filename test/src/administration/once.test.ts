/** Instances and keys are created once, even if several processes create them at the same time. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { createContainer, tokens, type Container } from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import { isJsonObject } from '@publishing-service/domain/json'
import type { UseCases } from '@publishing-service/application'
import type { DocumentStore } from '@publishing-service/ports'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { combinations, configurationOf, connectionSettingsFor } from '../harness/start-test-service.js'

const settings = { title: 'News', timezone: 'Europe/Vienna' }

for (const { name, environment } of combinations)
  describe(`concurrent creation, on ${name}`, () => {
    let container: Container
    let useCases: UseCases
    let documents: DocumentStore
    let directory = ''
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'once-'))
      container = createContainer(
        configurationOf({
          ...(await connectionSettingsFor(environment)),
          ...environment,
          DATA_DIR: directory,
          LOG_LEVEL: 'error',
        }),
      )
      useCases = await container.getAsync(tokens.useCases)
      documents = await container.getAsync(tokens.documents)
    })
    after(async () => {
      await container.unbindAll()
      await rm(directory, { recursive: true, force: true })
    })

    it('creates one instance for a requested number', async () => {
      const results = await Promise.all(
        Array.from({ length: 4 }, () => useCases.administerInstances.create({ number: 1, ...settings })()),
      )
      expect(results.filter(E.isRight)).to.have.length(1)
      for (const result of results.filter(E.isLeft))
        expect(result.left).to.deep.equal({
          _tag: 'BadParameters',
          faults: [{ path: 'number', code: 'taken', message: 'is taken: there is an instance 1' }],
        })
      const listed = await useCases.administerInstances.list()()
      expect(E.isRight(listed) && listed.right.map(({ id }) => id)).to.deep.equal([1])
    })

    it('creates instances with different numbers where none is requested', async () => {
      const results = await Promise.all(
        Array.from({ length: 4 }, () => useCases.administerInstances.create(settings)()),
      )
      const ids = results.filter(E.isRight).map(({ right }) => right.id)
      expect(ids.toSorted((one, other) => one - other)).to.deep.equal([2, 3, 4, 5])
    })

    it('creates one key for a purpose until it is revoked', async () => {
      const create = () =>
        useCases.administerKeys.create({ instance: 1, role: 'admin', purpose: 'bootstrap' })()
      const results = await Promise.all([create(), create(), create()])
      const [created, ...others] = results.filter(E.isRight).map(({ right }) => right)
      if (created === undefined) throw new Error(JSON.stringify(results))
      expect(others).to.deep.equal([])
      for (const result of results.filter(E.isLeft))
        expect(result.left).to.deep.equal({
          _tag: 'BadParameters',
          faults: [{ path: 'purpose', code: 'taken', message: 'has a key already' }],
        })
      await useCases.administerKeys.revoke(created.api_key, true)()
      expect(E.isRight(await create())).to.equal(true)
    })

    it('creates one key of a requested name, and leaves no user without a key', async () => {
      const create = () =>
        useCases.administerKeys.create({ instance: 1, role: 'reader', apiKey: 'the-one' })()
      const results = await Promise.all([create(), create()])
      expect(results.filter(E.isRight)).to.have.length(1)
      const page = async (collection: string) => {
        const found = await documents.find(collection, 0, {
          where: [],
          order: [],
          skip: 0,
          limit: 100,
          detail: 'full',
        })()
        if (E.isLeft(found)) throw new Error(found.left.reason)
        return found.right.documents
      }
      const keysOf = (await page('keys')).map(({ value }) => (isJsonObject(value) ? value['user'] : null))
      const users = (await page('users')).map(({ id }) => id)
      expect(users.toSorted()).to.deep.equal(keysOf.map(String).toSorted())
    })
  })

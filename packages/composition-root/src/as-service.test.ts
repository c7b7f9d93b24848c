import type { Operation } from '@publishing-service/application'
import { notFound, type Role } from '@publishing-service/domain'
import { E } from '@publishing-service/domain/fp'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { operations } from '@publishing-service/domain/roles'
import { asService } from './as-service.js'
import { createContainer } from './container.js'
import { readConfiguration } from './read-configuration.js'
import { stepOrThrow } from './error-messages.js'
import { tokens } from './tokens.js'

type Caller = { readonly user: string | null; readonly role: Role; readonly strict: boolean }

const readCaller: Operation<object, Caller> = {
  ...operations.readSettings,
  roles: new Set(['admin']),
  run: async ({ user, role, strict }) => ({ user, role, strict }),
}

describe('asService', () => {
  it('runs an operation as an admin of one instance, strict, without an API user', async () => {
    const configuration = readConfiguration(
      { STORE: 'memory', BLOBS: 'memory', LOG_LEVEL: 'error' },
      () => '',
    )
    if (E.isLeft(configuration)) throw new Error(configuration.left.join('\n'))
    const container = createContainer(configuration.right)
    try {
      const useCases = await container.getAsync(tokens.useCases)
      await stepOrThrow('', useCases.administerInstances.create({ number: 1, title: 'T', timezone: 'UTC' }))
      const caller = await stepOrThrow('', asService(useCases, 1)(readCaller, {}))
      expect(caller).to.deep.equal({ user: null, role: 'admin', strict: true })
      expect(await asService(useCases, 2)(readCaller, {})()).to.deep.equal(E.left(notFound))
    } finally {
      await container.unbindAll()
    }
  })
})

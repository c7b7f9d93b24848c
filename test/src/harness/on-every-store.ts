/** Service tests on each combination of stores, each test with a new publication at the same time. */
import { expect } from 'chai'
import { after, before, beforeEach, describe } from 'mocha'
import type { Settings } from '@publishing-service/domain'
import { createPublication, type Publication } from './publication.js'
import { combinations, startTestService, type TestService } from './start-test-service.js'

/** The time at the start of each test: 13:00 in Vienna. */
export const noon = Date.parse('2026-03-01T12:00:00Z')

/** The service and publication of the running test. The getters return those of the current test. */
export type TestContext = { readonly service: TestService; readonly home: Publication }

/** Bypasses all caches. */
export const fresh = { 'Cache-Control': 'no-cache' } as const

/** Declares the tests for each combination of stores, and further variables. The service must not log an error. */
export const onEveryStore = (
  title: string,
  settings: Partial<Settings>,
  define: (place: TestContext) => void,
  further: Readonly<Record<string, string>> = {},
): void => {
  for (const { name, environment } of combinations)
    describe(`${title}, ${name}`, () => {
      const current: { service: TestService | null; home: Publication | null } = { service: null, home: null }
      const assertStarted = <A>(part: A | null): A => {
        if (part === null) throw new Error('the test has not started')
        return part
      }
      before(async () => {
        current.service = await startTestService({ ...environment, ...further })
      })
      beforeEach(async () => {
        const service = assertStarted(current.service)
        service.clock.set(noon)
        current.home = await createPublication(service, settings)
      })
      after(async () => {
        const service = assertStarted(current.service)
        const errors = service.errorsLogged()
        await service.stop()
        expect(errors).to.deep.equal([])
      })
      define({
        get service() {
          return assertStarted(current.service)
        },
        get home() {
          return assertStarted(current.home)
        },
      })
    })
}

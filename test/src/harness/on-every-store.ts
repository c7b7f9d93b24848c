/** Whole-service tests on every entry of `combinations`, each test on a publication of its own, at the same time of day. */
import { expect } from 'chai'
import { after, before, beforeEach, describe } from 'mocha'
import type { Settings } from '@publishing-service/domain'
import { createPublication, type Publication } from './publication.js'
import { combinations, startTestService, type TestService } from './start-test-service.js'

/** When every test begins: 13:00 in Vienna. */
export const noon = Date.parse('2026-03-01T12:00:00Z')

/** Where a test stands; both are new whenever they are looked at in another test. */
export type Place = { readonly service: TestService; readonly home: Publication }

/** Past every cache. */
export const fresh = { 'Cache-Control': 'no-cache' } as const

/** Makes the tests of a description for every store. Nothing may stand in the log as an error in the end. */
export const onEveryStore = (
  title: string,
  settings: Partial<Settings>,
  define: (place: Place) => void,
): void => {
  for (const { name, environment } of combinations)
    describe(`${title}, ${name}`, () => {
      const here: { service: TestService | null; home: Publication | null } = { service: null, home: null }
      const present = <A>(part: A | null): A => {
        if (part === null) throw new Error('not on stage yet')
        return part
      }
      before(async () => {
        here.service = await startTestService(environment)
      })
      beforeEach(async () => {
        const service = present(here.service)
        service.clock.set(noon)
        here.home = await createPublication(service, settings)
      })
      after(async () => {
        const service = present(here.service)
        const errors = service.errorsLogged()
        await service.stop()
        expect(errors).to.deep.equal([])
      })
      define({
        get service() {
          return present(here.service)
        },
        get home() {
          return present(here.home)
        },
      })
    })
}

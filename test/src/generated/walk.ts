/** Tests that are made for each endpoint of the contract. None is left out without a reason. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { endpoints, type Endpoint } from '@publishing-service/http-contract'

/** The operations that a walk can't take, each with the reason. */
export type Exceptions = Readonly<Record<string, string>>

type Walk = {
  /** Which endpoints it is about; all where not said. Decided by what an endpoint is, never by its name. */
  readonly about?: (endpoint: Endpoint) => boolean
  readonly exceptions?: Exceptions
  /** How many endpoints a run tries that is not whole, for walks that take long; all where not given. */
  readonly sample?: number
}

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** Makes one test for each endpoint, and one that says that each was seen. */
export const walkEndpoints = (
  title: string,
  { about = () => true, exceptions = {}, sample = Infinity }: Walk,
  test: (endpoint: Endpoint) => Promise<void>,
): void => {
  const concerned = endpoints.filter(about)
  const isException = ({ operation }: Endpoint): boolean => exceptions[operation] !== undefined
  const walked = concerned.filter((each) => !isException(each))
  describe(`${title}${sampleTitle(sample, walked.length)}`, () => {
    const seen = new Set<string>()
    const tried = sampleFrom(walked, sample)
    for (const endpoint of tried)
      it(nameOf(endpoint), async () => {
        seen.add(nameOf(endpoint))
        await test(endpoint)
      })

    it('sees every endpoint but the exceptions', () => {
      const missing = tried.filter((each) => !seen.has(nameOf(each)))
      expect(missing.map(nameOf)).to.deep.equal([])
      expect(concerned).not.to.have.lengthOf(0)
      const idle = Object.keys(exceptions).filter(
        (name) => !concerned.some(({ operation }) => operation === name),
      )
      expect(idle, 'exceptions that the walk has no use for').to.deep.equal([])
    })
  })
}

/** Whether the path has a parameter that is a UUID. */
export const namesObjects = ({ path }: Endpoint): boolean => /\{(?:\w+_)?uuid\}/.test(path)

export const needsToken = ({ permission }: Endpoint): boolean => permission !== null

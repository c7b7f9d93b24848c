/** Tests that are made for each endpoint of the contract. None is left out without a reason. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { endpoints, type Endpoint } from '@publishing-service/http-contract'

/** The operations that a walk can't take, each with the reason. */
export type Exceptions = Readonly<Record<string, string>>

type Walk = {
  /** Which endpoints it is about; all where not said. Decided by what an endpoint is, never by its name. */
  readonly about?: (endpoint: Endpoint) => boolean
  readonly exceptions?: Exceptions
}

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** Makes one test for each endpoint, and one that says that each was seen. */
export const walkEndpoints = (
  title: string,
  { about = () => true, exceptions = {} }: Walk,
  test: (endpoint: Endpoint) => Promise<void>,
): void => {
  describe(title, () => {
    const seen = new Set<string>()
    const concerned = endpoints.filter(about)
    const isException = ({ operation }: Endpoint): boolean => exceptions[operation] !== undefined
    for (const endpoint of concerned.filter((each) => !isException(each)))
      it(nameOf(endpoint), async () => {
        seen.add(nameOf(endpoint))
        await test(endpoint)
      })

    it('sees every endpoint but the exceptions', () => {
      const missing = concerned.filter((each) => !seen.has(nameOf(each)) && !isException(each))
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

/** Generates one test for each endpoint of the contract. Every exception needs a reason. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { sampleFrom, sampleTitle } from '@publishing-service/conformance'
import { endpoints, type Endpoint } from '@publishing-service/http-contract'

/** The excluded operations, each with the reason. */
export type Exceptions = Readonly<Record<string, string>>

/** The status of sample requests whose success needs a secret, or a person who is signed in. */
const statuses: Readonly<Record<string, number>> = {
  exchangeToken: 401,
  signInWithKey: 401,
  beginProviderSignIn: 302,
  finishProviderSignIn: 302,
  signInWithPassword: 401,
  readLink: 410,
  useLink: 410,
  signInWithPasskey: 401,
  createLinkOptions: 410,
  confirmEmail: 410,
  createPasskeyOptions: 403,
  addPasskey: 403,
  changePasskey: 404,
  createOneTimeSecret: 403,
  activateOneTimeCodes: 403,
  removeOneTimeCodes: 403,
  setPassword: 403,
  removePassword: 403,
  endSessions: 200,
  mailConfirmation: 200,
  signOut: 200,
  forgetPassword: 200,
  createSignInOptions: 200,
}

/** The status of a sample request: of those operations, else this one. */
export const statusOf = ({ operation }: Pick<Endpoint, 'operation'>, other: number): number =>
  statuses[operation] ?? other

/** Whether its sample request is refused before its body is read, or finds nothing that a body could change. */
export const isRefused = (endpoint: Endpoint): boolean => [403, 404].includes(statusOf(endpoint, 200))

/** Whether its sample request is redirected by a header, without a body. */
export const isRedirect = (endpoint: Endpoint): boolean => statusOf(endpoint, 200) === 302

/** Whether its sample request is a wrong guess of a secret, of which only a few are accepted. */
const isGuess = (endpoint: Endpoint): boolean => statusOf(endpoint, 200) === 401

/** Whether a limit allows few requests to an endpoint, whatever they are. */
export const isLimited = (endpoint: Endpoint): boolean =>
  isGuess(endpoint) || endpoint.id === 'replaceWebhookSecret'

type Options = {
  /** Selects endpoints by their properties, never by name. Default: all. */
  readonly filter?: (endpoint: Endpoint) => boolean
  readonly exceptions?: Exceptions
  /** How many endpoints a sampled run tests, for slow tests. Default: all. */
  readonly sample?: number
}

export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`

/** Generates one test per endpoint, and one that checks that every endpoint was tested. */
export const testEndpoints = (
  title: string,
  { filter = () => true, exceptions = {}, sample = Infinity }: Options,
  test: (endpoint: Endpoint) => Promise<void>,
): void => {
  const selected = endpoints.filter(filter)
  const isException = ({ operation }: Endpoint): boolean => exceptions[operation] !== undefined
  const included = selected.filter((each) => !isException(each))
  describe(`${title}${sampleTitle(sample, included.length)}`, () => {
    const covered = new Set<string>()
    const sampled = sampleFrom(included, sample)
    for (const endpoint of sampled)
      it(nameOf(endpoint), async () => {
        covered.add(nameOf(endpoint))
        await test(endpoint)
      })

    it('covers every endpoint except the exceptions', () => {
      const missing = sampled.filter((each) => !covered.has(nameOf(each)))
      expect(missing.map(nameOf)).to.deep.equal([])
      expect(selected).not.to.have.lengthOf(0)
      const unused = Object.keys(exceptions).filter(
        (name) => !selected.some(({ operation }) => operation === name),
      )
      expect(unused, 'unused exceptions').to.deep.equal([])
    })
  })
}

/** Whether the path has a UUID parameter. */
export const namesObjects = ({ path }: Endpoint): boolean => /\{(?:\w+_)?uuid\}/.test(path)

/** Whether it needs a role on an instance. */
export const needsRole = ({ permission }: Endpoint): boolean => permission !== null

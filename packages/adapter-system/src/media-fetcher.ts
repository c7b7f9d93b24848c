/** Fetches pictures and other data of a website, for imports; not from the network that the service is in. */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import PQueue from 'p-queue'
import { addressGuard, PrivateAddress, type GuardOptions } from './address-guard.js'

export type MediaFetcherOptions = GuardOptions & {
  /** The most requests that begin in a second. */
  readonly perSecond: number
  /** Milliseconds without a byte after which a request ends. */
  readonly timeout?: number
  /** Milliseconds before each repetition of a request that failed for a reason that may pass. */
  readonly pauses?: readonly number[]
}

export type FetchedMedia = {
  readonly body: AsyncIterable<Uint8Array>
  /** MIME type; undefined if the server names none. */
  readonly type: string | undefined
  /** In bytes; undefined if the server does not say it. */
  readonly length: number | undefined
}

/** The data, or why there is none. */
export type FetchMedia = (address: string) => Promise<FetchedMedia | { readonly problem: string }>

const maxRedirects = 5

type Problem = { readonly problem: string; readonly mayPass: boolean }
type Answer = { readonly media: FetchedMedia } | Problem

const failed = (problem: string, mayPass = false): Problem => ({ problem, mayPass })

const answerOf = (url: URL, response: IncomingMessage): Answer | { readonly location: URL } => {
  const { statusCode: status = 0, headers } = response
  if (status === 200) {
    const length = Number(headers['content-length'] ?? Number.NaN)
    return {
      media: {
        body: response,
        type: headers['content-type'],
        length: Number.isSafeInteger(length) ? length : undefined,
      },
    }
  }
  response.destroy()
  const { location } = headers
  if (status >= 300 && status < 400 && location !== undefined && URL.canParse(location, url.href))
    return { location: new URL(location, url) }
  return failed(`the server answers with the status ${status}`, status === 429 || status >= 500)
}

/**
 * Fetches data by GET. Redirects are followed, each under the same rules as the address. What may pass is tried again. The
 * number of requests in a second is limited.
 */
export const mediaFetcher = ({
  perSecond,
  timeout = 30_000,
  pauses = [1000, 5000],
  ...guarding
}: MediaFetcherOptions): FetchMedia => {
  const guard = addressGuard(guarding)
  const queue = new PQueue({ interval: 1000, intervalCap: perSecond })

  const requestOnce = (url: URL): Promise<ReturnType<typeof answerOf>> =>
    new Promise((resolve) => {
      const start = url.protocol === 'https:' ? httpsRequest : httpRequest
      const headers = { 'User-Agent': 'publishing-service', Accept: '*/*' }
      const sent = start(url, { agent: false, lookup: guard.lookup, headers, timeout })
      sent.on('response', (response) => {
        response.setTimeout(timeout, () => response.destroy(new Error('the server sent no more data')))
        resolve(answerOf(url, response))
      })
      sent.on('timeout', () => sent.destroy(new Error('the server does not answer')))
      sent.on('error', (error) =>
        resolve(
          error instanceof PrivateAddress
            ? failed('it leads to a private address')
            : failed(error.message, true),
        ),
      )
      sent.end()
    })

  const follow = async (address: URL): Promise<Answer> => {
    let url = address
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      if (!/^https?:$/.test(url.protocol)) return failed(`${url.protocol} is not http or https`)
      if (guard.isPrivate(url)) return failed('it leads to a private address')
      const target = url
      const answer = await queue.add(() => requestOnce(target))
      if (!('location' in answer)) return answer
      url = answer.location
    }
    return failed(`it leads to more than ${maxRedirects} redirects`)
  }

  return async (address) => {
    if (!URL.canParse(address)) return { problem: 'it is not a web address' }
    const url = new URL(address)
    let answer = await follow(url)
    for (const delay of pauses) {
      if ('media' in answer || !answer.mayPass) break
      await pause(delay)
      answer = await follow(url)
    }
    return 'media' in answer ? answer.media : { problem: answer.problem }
  }
}

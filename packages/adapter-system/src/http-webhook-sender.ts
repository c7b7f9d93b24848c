/** Sends messages of web hooks over HTTP, and not to addresses of the network that the service is in. */
import { randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { DeliveryAnswer, DeliveryFailure } from '@publishing-service/domain/webhooks'
import type { WebhookMessage, WebhookSender } from '@publishing-service/ports'
import { Webhook } from 'standardwebhooks'
import { addressGuard, literalOf, PrivateAddress, type LookupAll } from './address-guard.js'

export type WebhookSenderOptions = {
  /** Whether private addresses and `http` are allowed. */
  readonly allowPrivate: boolean
  readonly lookup?: LookupAll
  /** Milliseconds from the look-up of the address to the last byte of the answer. */
  readonly timeout?: number
}

const secretBytes = 32
const defaultTimeout = 10_000
const maxAnswerBytes = 64 * 1024
/** Milliseconds for which a look-up before the first message may delay its caller. */
const lookupTime = 2000

const unreachable = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'EACCES'])

const codeOf = (error: Error): string => ('code' in error && typeof error.code === 'string' ? error.code : '')

const failureOf = (error: Error): DeliveryFailure => {
  if (error instanceof PrivateAddress) return 'private_address'
  const code = codeOf(error)
  if (code === 'ETIMEDOUT') return 'timeout'
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return 'unknown_host'
  if (unreachable.has(code)) return 'unreachable'
  return /CERT|SIGNATURE|^ERR_(?:TLS|SSL)|^EPROTO$/.test(code) ? 'certificate' : 'closed'
}

const answerOf = (status: number): DeliveryAnswer => {
  if (status >= 200 && status < 300) return { status, failure: null }
  if (status === 410) return { status, failure: 'gone' }
  return { status, failure: status >= 300 && status < 400 ? 'redirect' : 'status' }
}

/** Resolves once an answer is read, as far as it is read. */
const readAnswer = (answer: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let bytes = 0
    answer.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes >= maxAnswerBytes) answer.destroy()
    })
    answer.on('error', () => resolve())
    answer.on('close', () => resolve())
  })

const noAnswer = (failure: DeliveryFailure): DeliveryAnswer => ({ status: null, failure })

export const httpWebhookSender = ({
  allowPrivate,
  lookup,
  timeout = defaultTimeout,
}: WebhookSenderOptions): WebhookSender => {
  const closing = new AbortController()

  const guard = addressGuard(lookup === undefined ? { allowPrivate } : { allowPrivate, lookup })
  const checkedLookup = guard.lookup

  /** Why nothing is sent to an address, before its name is looked up. */
  const refusalOf = (url: URL): 'insecure' | 'private_address' | null => {
    if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) return 'insecure'
    return guard.isPrivate(url) ? 'private_address' : null
  }

  const headersOf = ({
    id,
    time,
    body,
    secrets,
    headers,
  }: WebhookMessage): Readonly<Record<string, string | number>> => ({
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'User-Agent': 'publishing-service',
    'webhook-id': id,
    'webhook-timestamp': Math.floor(time / 1000),
    'webhook-signature': secrets
      .map((secret) => new Webhook(secret).sign(id, new Date(time), body))
      .join(' '),
  })

  const post = (url: URL, message: WebhookMessage, signal: AbortSignal): Promise<DeliveryAnswer> =>
    new Promise((resolve) => {
      const start = url.protocol === 'https:' ? httpsRequest : httpRequest
      const options = {
        method: 'POST',
        headers: headersOf(message),
        agent: false,
        lookup: checkedLookup,
        signal,
      }
      const sent = start(url, options)
      let isAnswered = false
      sent.on('response', (answer) => {
        isAnswered = true
        void readAnswer(answer).then(() => resolve(answerOf(answer.statusCode ?? 0)))
      })
      // The status counts, even if the rest of the answer does not arrive.
      sent.on('error', (error) => {
        if (!isAnswered) resolve(noAnswer(signal.aborted ? 'timeout' : failureOf(error)))
      })
      sent.end(message.body)
    })

  return {
    newSecret: () => `whsec_${randomBytes(secretBytes).toString('base64')}`,
    refusal: (text) => {
      const url = new URL(text)
      const refused = refusalOf(url)
      if (refused !== null || literalOf(url) !== null) return Promise.resolve(refused)
      return new Promise((resolve) => {
        const timer = setTimeout(() => resolve(null), lookupTime)
        checkedLookup(url.hostname, {}, (error) => {
          clearTimeout(timer)
          resolve(error instanceof PrivateAddress ? 'private_address' : null)
        })
      })
    },
    send: async (message) => {
      if (closing.signal.aborted) return null
      const url = new URL(message.url)
      const refused = refusalOf(url)
      if (refused !== null) return noAnswer(refused)
      const answer = await post(url, message, AbortSignal.any([closing.signal, AbortSignal.timeout(timeout)]))
      return closing.signal.aborted ? null : answer
    },
    close: async () => closing.abort(),
  }
}

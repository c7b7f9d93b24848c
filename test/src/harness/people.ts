/** People of a service under test, who set up their accounts over HTTP. */
import {
  recordingMailSender,
  simpleOneTimeCodes,
  simplePasskeys,
  simplePasswordStrength,
} from '@publishing-service/adapter-memory'
import { tokens } from '@publishing-service/composition-root'
import { ContainerModule } from 'inversify'
import { createHmac, randomUUID } from 'node:crypto'
import { expectOk, uuidOf } from './expect-response.js'
import { createApi, type Api, type ApiResponse } from './http-client.js'
import type { TestService } from './start-test-service.js'

/** Ways to sign in without cryptography and servers, and the mail that is sent. */
export const simpleIdentity = () => {
  const mailSender = recordingMailSender()
  const module = new ContainerModule(({ bind }) => {
    bind(tokens.passkeys).toConstantValue(simplePasskeys())
    bind(tokens.oneTimeCodes).toConstantValue(simpleOneTimeCodes)
    bind(tokens.passwordStrength).toConstantValue(simplePasswordStrength)
    bind(tokens.mailSender).toConstantValue(mailSender)
    bind(tokens.identityProvider).toConstantValue(null)
  })
  return { module, sent: mailSender.sent }
}

export const password = 'correct horse battery staple'

/** The headers of a browser in which a page of the service is open. */
export const fromPage = { 'Sec-Fetch-Site': 'same-origin' }

/** The first cookie of a response whose name has this part. */
export const cookieOf = ({ headers }: ApiResponse, part = ''): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0] ?? '')
    .find((cookie) => cookie.includes(part)) ?? ''

/** The headers of a request of the dashboard in the session of a cookie. */
export const inSession = (cookie: string) => ({ Cookie: cookie, Authorization: 'Session', ...fromPage })

/** An operator who has set up its account with a password, and the cookie of its session. */
export const setUpPerson = async (service: TestService, operator: Api) => {
  const email = `${randomUUID()}@example.org`
  const uuid = uuidOf(await operator.post('/users', { name: 'Ada', email, operator: true }))
  const { url } = expectOk(await operator.post(`/users/${uuid}/link`, null)).object
  const token = String(url).split('/').at(-1) ?? ''
  const used = expectOk(await createApi(service.url).post('/sign-in/link/use', { token, password }))
  return { uuid, email, cookie: cookieOf(used), used }
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code of RFC 6238 for a secret in base32. */
export const codeOf = (secret: string, now: number): string => {
  const bits = [...secret].map((letter) => base32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const digest = createHmac('sha1', key).update(step).digest()
  const value = digest.readUInt32BE((digest.at(-1) ?? 0) % 16) % 2 ** 31
  return String(value % 1_000_000).padStart(6, '0')
}

/** Gives the person of a session one-time codes, and returns their secret and the recovery codes. */
export const setUpCodes = async (service: TestService, cookie: string) => {
  const visitor = createApi(service.url)
  const { secret } = expectOk(await visitor.post('/account/one-time-codes', null, inSession(cookie))).object
  const code = codeOf(String(secret), service.clock.now())
  const { recovery_codes: codes } = expectOk(
    await visitor.put('/account/one-time-codes', { code }, inSession(cookie)),
  ).object
  return { secret: String(secret), codes: Array.isArray(codes) ? codes.map(String) : [] }
}

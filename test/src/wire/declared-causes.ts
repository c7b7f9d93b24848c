/** A request that causes each problem that an operation declares, by the id of its endpoint. */
import { randomUUID } from 'node:crypto'
import { maxUsableKeys } from '@publishing-service/access'
import type { ProblemTag } from '@publishing-service/domain'
import { firstHomepage } from '@publishing-service/domain/content'
import { expectOk, uuidOf } from '../harness/expect-response.js'
import { createApi, type ApiResponse } from '../harness/http-client.js'
import { inSession, password, setUpCodes, setUpPerson } from '../harness/people.js'
import type { Publication } from '../harness/publication.js'
import type { TestService } from '../harness/start-test-service.js'
import { grantTo, newUser } from '../harness/users.js'

/** Sends a request, and those that it needs before it. */
export type Cause = () => Promise<ApiResponse>

export type Causes = Readonly<Record<string, { readonly [T in ProblemTag]?: Cause }>>

export const unknownKey = { api_key: 'nobody', api_secret: 'x' }
const unknownLink = { token: 'x' }

/** Sends a form to a service. */
export const sendForm = (
  service: TestService,
  path: string,
  fields: Readonly<Record<string, string>>,
): Promise<ApiResponse> =>
  createApi(service.url).send('POST', path, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })

export const declaredCauses = (service: TestService, home: Publication): Causes => {
  const visitor = createApi(service.url)
  const person = async () => setUpPerson(service, createApi(service.url, await service.operatorToken()))

  /** A draft whose object has changed since. */
  const conflict =
    (path: string, object: Readonly<Record<string, string>>): Cause =>
    async () => {
      const id = uuidOf(await home.editor.post(path, { ...object, title: 'x', urlname: randomUUID() }))
      expectOk(await home.editor.patch(`${path}/${id}/draft`, { title: 'y' }))
      expectOk(await home.editor.patch(`${path}/${id}`, { title: 'z' }))
      return home.editor.post(`${path}/${id}/draft/publish`, {})
    }

  return {
    exchangeToken: {
      InvalidTokenRequest: () => sendForm(service, '/oauth/token', { grant_type: 'client_credentials' }),
      UnsupportedGrantType: () =>
        sendForm(service, '/oauth/token', { ...unknownKey, grant_type: 'password' }),
      InvalidClient: () =>
        sendForm(service, '/oauth/token', { ...unknownKey, grant_type: 'client_credentials' }),
    },
    revokeToken: { InvalidTokenRequest: () => sendForm(service, '/oauth/revoke', {}) },
    signInWithKey: { InvalidClient: () => visitor.post('/sign-in/key', unknownKey) },
    signInWithPassword: {
      SignInFailed: () => visitor.post('/sign-in/password', { email: 'nobody@example.org', password: 'x' }),
      SecondFactorNeeded: async () => {
        const { email, cookie } = await person()
        await setUpCodes(service, cookie)
        return visitor.post('/sign-in/password', { email, password })
      },
    },
    signInWithPasskey: { SignInFailed: () => visitor.post('/sign-in/passkey', { answer: {} }) },
    readLink: { LinkInvalid: () => visitor.post('/sign-in/link', unknownLink) },
    createLinkOptions: { LinkInvalid: () => visitor.post('/sign-in/link/passkey-options', unknownLink) },
    useLink: { LinkInvalid: () => visitor.post('/sign-in/link/use', { ...unknownLink, password }) },
    confirmEmail: {
      LinkInvalid: async () =>
        visitor.put('/account/email-confirmation', unknownLink, inSession((await person()).cookie)),
    },
    createKey: {
      TooManyKeys: async () => {
        const user = await newUser(service, 'has many keys')
        await grantTo(service, user, home.number, 'reader')
        for (let count = 0; count < maxUsableKeys; count += 1)
          await service.useCases.administerKeys.create({ user })()
        return createApi(service.url, home.admin.token).post(`/users/${user}/keys`, {})
      },
    },
    removeSection: {
      InUse: async () => {
        const parent = uuidOf(await home.admin.post('/sections', { title: 'x', urlname: randomUUID() }))
        expectOk(await home.admin.post('/sections', { title: 'y', urlname: 'y', parent_uuid: parent }))
        return home.admin.delete(`/sections/${parent}`)
      },
    },
    removeHomepage: { MethodNotAllowed: () => home.admin.delete(`/homepage/${firstHomepage.id}`) },
    uploadFile: {
      UnsupportedMediaType: async () => {
        const id = uuidOf(await home.editor.post('/files', { title: 'x', filename: 'x.png' }))
        return home.editor.send('POST', `/files/${id}`, {
          body: 'x',
          headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
        })
      },
    },
    publishContentDraft: { DraftConflict: conflict('/content', { content_type: 'article' }) },
    publishLocationDraft: { DraftConflict: conflict('/locations', {}) },
    listChanges: { CursorExpired: () => home.reader.get(`/changes?since=${home.number}-1-1`) },
  }
}

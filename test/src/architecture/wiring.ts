/**
 * The container resolves in every combination of stores that the configuration allows. Shared by the tests with
 * and without servers.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { configurationTable, createContainer, tokens } from '@publishing-service/composition-root'
import { configurationOf, connectionSettingsFor } from '../harness/start-test-service.js'

/** The values of a variable, read from its error message. Packages with other names are not included. */
const choices = (name: 'STORE' | 'BLOBS' | 'IMAGING'): readonly string[] => {
  const result = configurationTable[name].codec.decode('no such word')
  const message = '_tag' in result && result._tag === 'Left' ? (result.left[0]?.message ?? '') : ''
  return message
    .replace('must be one of ', '')
    .replace(/, or .*/, '')
    .split(', ')
}

const needsServer = (store: string, blobs: string): boolean => store === 'mongodb' || blobs === 'minio'

/** Nothing is sent to them before somebody signs in. */
const waysIn = {
  BASE_URL: 'https://cms.example.org',
  SMTP_URL: 'smtps://mail.example.org',
  MAIL_FROM: 'cms@example.org',
  OIDC_ISSUER: 'https://id.example.org',
  OIDC_CLIENT_ID: 'cms',
  OIDC_CLIENT_SECRET: 'secret',
}

/** Declares a test for each combination that needs a server, or for each that does not. */
export const wiring = (title: string, withServers: boolean): void => {
  describe(title, () => {
    let directory = ''
    before(async () => {
      directory = await mkdtemp(join(tmpdir(), 'wiring-'))
    })
    after(() => rm(directory, { recursive: true, force: true }))

    const imaging = choices('IMAGING')
    const pairs = choices('STORE').flatMap((STORE) => choices('BLOBS').map((BLOBS) => ({ STORE, BLOBS })))
    // Images are scaled by the one or the other, whatever the stores are.
    for (const [index, { STORE, BLOBS }] of pairs.entries()) {
      if (needsServer(STORE, BLOBS) !== withServers) continue
      const hasWaysIn = index % 2 === 0
      const IMAGING = imaging[index % imaging.length] ?? ''
      it(`resolves every token for ${STORE} × ${BLOBS} × ${IMAGING}${hasWaysIn ? ', mail and a provider' : ''}`, async () => {
        const DATA_DIR = join(directory, `${STORE}-${BLOBS}-${IMAGING}`)
        const container = createContainer(
          configurationOf({
            ...(await connectionSettingsFor({ STORE, BLOBS })),
            STORE,
            BLOBS,
            IMAGING,
            DATA_DIR,
            LOG_LEVEL: 'error',
            ...(hasWaysIn ? waysIn : {}),
          }),
        )
        for (const [name, token] of Object.entries(tokens))
          expect(await container.getAsync<unknown>(token), name).to.not.equal(undefined)
        expect((await container.getAsync(tokens.mailSender)) !== null).to.equal(hasWaysIn)
        expect((await container.getAsync(tokens.identityProvider)) !== null).to.equal(hasWaysIn)
        await container.unbindAll()
      })
    }
  })
}

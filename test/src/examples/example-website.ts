/** The website of docs/example-website as a process, on a service with the sample publication. */
import { join } from 'node:path'
import { createClient, type Client } from '@publishing-service/client'
import { E, type Role } from '@publishing-service/domain'
import { root } from '../documentation/documents.js'
import { startTestService } from '../harness/start-test-service.js'
import { runNode } from '../start-up/program.js'

export type ExampleWebsite = {
  readonly url: string
  /** A client of the service as an admin. */
  readonly admin: Client
  readonly stop: () => Promise<void>
}

export const startExampleWebsite = async (): Promise<ExampleWebsite> => {
  const service = await startTestService({ STORE: 'memory', BLOBS: 'memory' })
  const keyOf = async (role: Role) => {
    const made = await service.useCases.administerKeys.create({ instance: 1, role })()
    if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
    return { key: made.right.api_key, secret: made.right.api_secret }
  }
  const { key, secret } = await keyOf('public_user')
  const environment = { SERVICE: service.url, API_KEY: key, API_SECRET: secret, WEBSITE_PORT: '0' }
  const website = runNode([join(root, 'docs/example-website/dist/main.js')], environment)
  const [, url = ''] = await website.printed(/ (http:\S+)\n/)
  return {
    url,
    admin: createClient({ service: service.url, ...(await keyOf('admin')) }),
    stop: async () => {
      website.signal('SIGTERM')
      await website.ended
      await service.stop()
    },
  }
}

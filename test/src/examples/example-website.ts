/** The website of docs/example-website as a process, on a service with the sample publication. */
import { join } from 'node:path'
import { root } from '../documentation/documents.js'
import { expectOk } from '../harness/expect-response.js'
import { createApi, type Api } from '../harness/http-client.js'
import { startTestService } from '../harness/start-test-service.js'
import { runNode } from '../start-up/program.js'

export type ExampleWebsite = {
  readonly url: string
  /** The API of the instance, as an admin. */
  readonly admin: Api
  readonly stop: () => Promise<void>
}

/**
 * `time` is that of the service; the time of the other tests by default. A website that stores pages receives the web hooks
 * of the service.
 */
export const startExampleWebsite = async (time?: number, storesPages = false): Promise<ExampleWebsite> => {
  const service = await startTestService({
    WEBHOOKS_ALLOW_PRIVATE: 'true',
  })
  if (time !== undefined) service.clock.set(time)
  const admin = createApi(`${service.url}/1`, await service.tokenFor('admin'))
  expectOk(await admin.patch('/settings', { public_reading: true, public_comments: true }))
  const hook = expectOk(
    await admin.post('/webhooks', { url: 'http://127.0.0.1:1/', active: storesPages }),
  ).object
  const WEBHOOK_SECRET = storesPages ? String(hook['secret']) : ''
  const environment = { SERVICE: service.url, WEBHOOK_SECRET, WEBSITE_PORT: '0' }
  const website = runNode([join(root, 'docs/example-website/dist/main.js')], environment)
  const [, url = ''] = await website.printed(/ (http:\S+)\n/)
  if (storesPages) expectOk(await admin.patch(`/webhooks/${String(hook['uuid'])}`, { url: `${url}/webhook` }))
  return {
    url,
    admin,
    stop: async () => {
      website.signal('SIGTERM')
      await website.ended
      await service.stop()
    },
  }
}

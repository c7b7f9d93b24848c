/** The receiver as a process. */
import { createPages } from './pages.js'
import { createReceiver } from './receiver.js'

const {
  WEBHOOK_SECRET: secret = '',
  WEBSITE: website = 'http://127.0.0.1:8081',
  PAGES: folder = './pages',
} = process.env

const report = (error: unknown): void => void process.stderr.write(`${String(error)}\n`)
const rebuild = createPages({ website, folder })
const server = createReceiver({
  secret,
  work: async (event) => {
    await rebuild(event)
    process.stdout.write(`${event.type} ${event.object.path ?? event.object.uuid}\n`)
  },
  onFailure: report,
})
server.listen(Number(process.env['RECEIVER_PORT'] ?? 8082), () => {
  const address = server.address()
  if (typeof address === 'object')
    process.stdout.write(`The receiver is at http://127.0.0.1:${address?.port}\n`)
})

/** Starts the website with the service, key and secret of the environment. */
import { startWebsite } from './start-website.js'

const { SERVICE = 'http://127.0.0.1:8080', API_KEY, API_SECRET, WEBSITE_PORT = '8081' } = process.env

if (API_KEY === undefined || API_SECRET === undefined) {
  process.stderr.write(
    'Set API_KEY and API_SECRET to a key of the service, such as the one that npm start prints.\n',
  )
  process.exitCode = 1
} else {
  await startWebsite({ service: SERVICE, key: API_KEY, secret: API_SECRET, port: Number(WEBSITE_PORT) })
  process.stdout.write(`The website listens on http://127.0.0.1:${WEBSITE_PORT}\n`)
}

/** The commands on the page about requests work in bash with curl, and as a Node module. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'mocha'
import { expect } from 'chai'
import { requestSamples } from '@publishing-service/reference-page'
import { runBlocks } from '../documentation/shell.js'
import { startTestService, type TestService } from '../harness/start-test-service.js'

const key = { apiKey: 'reader-of-pages', apiSecret: 'a-secret-for-commands' }

const withKey = (text: string): string =>
  text.replaceAll('YOUR_KEY', key.apiKey).replaceAll('YOUR_SECRET', key.apiSecret)

type Name = keyof ReturnType<typeof requestSamples>

/** The output of each, in the order of the page. */
const inShell: Readonly<Record<Name, RegExp>> = {
  token: /^\s*$/,
  list: /^\{"items":\[\["[^"]+","[a-z_]+","[^"]+"\],\["[^"]+","[a-z_]+","[^"]+"\]\],"next":"http[^"]+"\}\s*$/,
  walk: /^(?:\{"items":\[.+\n)+\s*$/,
  wrong: /"error":"bad_parameters".*"fields":"unknown name .*"rpp":"must be/,
  unchanged: /^HTTP\/1\.1 304 /,
  fresh: /"timezone":"Europe\/Vienna"/,
  create: /^HTTP\/1\.1 200 [^]*"uuid":"c0ffee00-/,
  change: /^HTTP\/1\.1 200 [^]*HTTP\/1\.1 412 [^]*"precondition_failed"/,
  strict: /"error_info":\{"titel":/,
  remove: /^\{"msg":"deleted"\}/,
}

const inNode: Readonly<Record<Name, RegExp>> = {
  token: /^\s*$/,
  list: /items: \[/,
  walk: /^(?:.+\n){11}\s*$/,
  wrong: /^400 bad_parameters \{/,
  unchanged: /^304\s*$/,
  fresh: /timezone: 'Europe\/Vienna'/,
  create: /^200 \{/,
  change: /^200\n412\s*$/,
  strict: /^400 \{ titel: /,
  remove: /msg: 'deleted'/,
}

const runModule = async (source: string): Promise<string> => {
  const child = spawn(process.execPath, ['--input-type=module', '-'], { stdio: 'pipe' })
  const texts = { out: '', error: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (texts.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (texts.error += text))
  child.stdin.end(source)
  const [code] = (await once(child, 'close')) as [number | null]
  expect(code, texts.error).to.equal(0)
  return texts.out
}

describe('the commands of the page about requests', function () {
  this.timeout(30_000)
  let service: TestService
  before(async () => {
    service = await startTestService({
      STORE: 'memory',
      BLOBS: 'memory',
      BOOTSTRAP_API_KEY: key.apiKey,
      BOOTSTRAP_API_SECRET: key.apiSecret,
    })
  })
  after(() => service.stop())

  it('work in a shell', async () => {
    const samples = Object.entries(requestSamples(service.url))
    const printed = await runBlocks(
      samples.map(([, { curl }]) => withKey(curl)),
      { directory: service.dataDirectory },
    )
    for (const [index, [name]] of samples.entries())
      expect(printed[index]?.trimStart(), name).to.match(inShell[name as Name])
  })

  it('work as a module', async () => {
    const samples = Object.entries(requestSamples(service.url))
    const mark = '=== end of a sample ==='
    const printed = await runModule(
      samples.map(([, { javascript }]) => `${withKey(javascript)}\nconsole.log('${mark}')`).join('\n'),
    )
    for (const [index, [name]] of samples.entries())
      expect(printed.split(`${mark}\n`)[index], name).to.match(inNode[name as Name])
  })
})

/** What the programs load, and how a command ends whose reader goes away. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { adminProgram, environmentOf, runNode, startProgram, withDirectory } from './program.js'

/** Prints the files of the bundle that the process has loaded when the condition holds. */
const listing = (condition: string): string => `
  import { Session } from 'node:inspector'
  const session = new Session()
  session.connect()
  const files = []
  session.on('Debugger.scriptParsed', ({ params: { url } }) => files.push(url))
  const list = () => {
    session.post('Debugger.enable')
    for (const each of files) if (/dist.bundle/.test(each)) process.stdout.write('FILE ' + each + '\\n')
    process.exit()
  }
  ${condition}`

/** The packages of the registry, and those of the service as `=domain`, in the files that a program has loaded. */
const packagesIn = (output: string): ReadonlySet<string> => {
  const files = [...output.matchAll(/^FILE (.*)$/gm)].map(([, file = '']) => file)
  expect(files.length).to.be.greaterThan(5)
  return new Set(
    files.flatMap((file) =>
      [
        ...readFileSync(new URL(file), 'utf8').matchAll(
          /^\/\/(?:#region)? (?:\.\.\/node_modules\/((?:@[^/]+\/)?[^/]+)\/|([\w-]+)\/dist\/)/gm,
        ),
      ].map(([, registry, own]) => registry ?? `=${own}`),
    ),
  )
}

const drivers = [
  'mongodb',
  'minio',
  'pg',
  'nodemailer',
  'openid-client',
  'prom-client',
  '@opentelemetry/sdk-trace',
  '@simplewebauthn/server',
  '@zxcvbn-ts/core',
  '@jimp/core',
]

/** What reads files of imports. */
const formats = ['yauzl', 'markdown-it']

describe('the bundle', function () {
  this.timeout(60_000)

  it('has drivers, which a service loads only if they were chosen', async () => {
    await withDirectory(async (directory) => {
      const variables = { DATA_DIR: join(directory, 'data'), STORE: 'memory', BLOBS: 'memory', PORT: '0' }
      const load = async (own: Readonly<Record<string, string>>) => {
        const script = listing(`
          process.argv[1] = ${JSON.stringify(startProgram)}
          const write = process.stdout.write.bind(process.stdout)
          process.stdout.write = (text, ...more) => {
            if (/listens on/.test(text)) setImmediate(list)
            return write(text, ...more)
          }
          await import(process.argv[1])`)
        const { code, out, error } = await runNode(['--input-type=module', '-e', script], {
          ...variables,
          ...own,
        }).ended
        expect(code, error).to.equal(0)
        return packagesIn(out)
      }
      const plain = await load({})
      expect(plain).to.include('=application').and.include('koa')
      expect([...drivers, ...formats].filter((each) => plain.has(each))).to.deep.equal([])
      const chosen = await load({
        METRICS_PORT: '0',
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        SMTP_URL: 'smtp://localhost:1',
        MAIL_FROM: 'a@example.org',
        BASE_URL: 'http://localhost',
      })
      expect(drivers.filter((each) => chosen.has(each))).to.deep.equal([
        'nodemailer',
        'prom-client',
        '@opentelemetry/sdk-trace',
      ])
    })
  })

  it('has commands that load no server', async () => {
    const script = listing(`
      process.argv = [process.argv[0], ${JSON.stringify(adminProgram)}, '--version']
      process.once('exit', list)
      await import(process.argv[1])`)
    const { out, error } = await runNode(['--input-type=module', '-e', script], {}).ended
    const loaded = packagesIn(out)
    expect(loaded, error).to.include('commander')
    expect([...drivers, 'koa', 'koa-body'].filter((each) => loaded.has(each))).to.deep.equal([])
  })

  it('has commands that end well if their reader goes away', async () => {
    const command = `"$NODE" "$ADMIN" --help | head -n 1; echo "\${PIPESTATUS[*]}"`
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', command], {
      env: environmentOf({ NODE: process.execPath, ADMIN: adminProgram }),
    })
    expect(stderr).to.equal('')
    expect(stdout).to.match(/^Usage: .*\n0 0\n$/)
  })
})

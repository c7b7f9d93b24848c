/** docker-compose.yml is valid and agrees with the code of the service. */
import { execFile } from 'node:child_process'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { configurationTable, readConfiguration } from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import { endpoints } from '@publishing-service/http-contract'
import { expect } from 'chai'
import { DCLinter } from 'dclint'
import { after, before, describe, it } from 'mocha'
import { composeFile, composePath, dockerStages } from './compose-file.js'

const run = promisify(execFile)
const { services, volumes, configs, networks } = composeFile
const all = Object.entries(services)

const linter = new DCLinter({
  // An image that Compose builds has a name, so that it is reused.
  rules: { 'no-build-and-image': 0 },
  quiet: true,
  debug: false,
  exclude: [],
})

const faultsOf = (path: string): readonly string[] => {
  const [result] = linter.lintFiles([path], false)
  if (result === undefined) throw new Error(`${path} was not looked at`)
  const messages: readonly { readonly type: string; readonly message: string }[] = result.messages
  return messages.filter(({ type }) => type === 'error').map(({ message }) => message)
}

const withoutFile = (name: string): string => name.replace(/_FILE$/, '')

describe('docker-compose.yml', () => {
  it('is valid for the Compose specification and a linter', async () => {
    expect(faultsOf(composePath)).to.deep.equal([])
    const folder = await mkdtemp(join(tmpdir(), 'compose-'))
    try {
      const broken = (await readFile(composePath, 'utf8')).replace('read_only: true', 'read_only: [true]')
      const path = join(folder, 'docker-compose.yml')
      await writeFile(path, broken)
      expect(faultsOf(path).join()).to.include('/services/service/read_only')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('names a version of every image, or builds it', () => {
    for (const [name, { image, build }] of all) {
      expect(image, name).to.match(/:\d[\w.-]+$/)
      if (build !== undefined) expect([...dockerStages().keys()], name).to.include(build.target)
    }
  })

  it('declares every volume, network and config that it uses, and no other', () => {
    const used = all.flatMap(([, service]) => service.volumes.map((each) => each.split(':')[0]))
    expect([...new Set(used)]).to.have.members(Object.keys(volumes))
    expect(all.flatMap(([, { configs: own = [] }]) => own.map(({ source }) => source))).to.have.members(
      Object.keys(configs),
    )
    expect([...new Set(all.flatMap(([, service]) => service.networks ?? []))]).to.have.members(
      Object.keys(networks),
    )
  })

  it('starts each container after its healthy dependencies, and publishes only the service', () => {
    for (const [name, { depends_on: needs = {}, healthcheck, networks: reached = [] }] of all) {
      for (const [other, { condition }] of Object.entries(needs))
        expect(condition, `${name} needs ${other}`).to.equal(
          other === 'secrets' ? 'service_completed_successfully' : 'service_healthy',
        )
      if (name !== 'secrets') expect(healthcheck, name).not.to.equal(undefined)
      if (name !== 'service')
        expect(
          reached.every((network) => networks[network]?.internal === true),
          name,
        ).to.equal(true)
    }
    expect(Object.keys(services.service.depends_on ?? {})).to.have.members([
      'secrets',
      'mongodb',
      'postgresql',
      'minio',
    ])
  })

  it('passes known variables to the service, and secrets as files only', () => {
    for (const name of Object.keys(services.service.environment ?? {})) {
      expect(configurationTable, name).to.have.property(withoutFile(name))
      const { secret = false } = { ...configurationTable[withoutFile(name) as 'BOOTSTRAP_API_KEY'] }
      expect(secret, name).to.equal(name.endsWith('_FILE'))
    }
  })

  it('checks health at the port and path of the service, and stops it no earlier than its own limit', () => {
    const { ports = [], healthcheck, stop_grace_period: grace = '' } = services.service
    const port = configurationTable.PORT.fallback
    expect(ports).to.deep.equal([`127.0.0.1:${port}:${port}`])
    const [, healthPort = '', path] =
      /127\.0\.0\.1:(\d+)(\/[\w/]+)/.exec(healthcheck?.test.at(-1) ?? '') ?? []
    expect(healthPort).to.equal(port)
    expect(path).to.equal('/health/ready')
    expect(endpoints.map((endpoint) => endpoint.path)).to.include(path)
    const { SHUTDOWN_DELAY: delay = configurationTable.SHUTDOWN_DELAY.fallback } =
      services.service.environment ?? {}
    expect(Number.parseInt(grace, 10)).to.be.at.least(Number(delay) + 10)
  })

  it('removes unneeded capabilities, and makes the file system read-only', () => {
    for (const name of ['service', 'minio'] as const) {
      expect(services[name].read_only, name).to.equal(true)
      expect(services[name].cap_drop, name).to.deep.equal(['ALL'])
    }
  })

  describe('its generated secrets', () => {
    let folder = ''
    const secrets = (): string => join(folder, 'secrets')
    /**
     * Runs the script on a temporary directory. `chown` needs root, so it is replaced by a command that prints its
     * arguments.
     */
    const make = async (): Promise<string> => {
      const script = (configs['make_secrets']?.content ?? '').replace('/run/secrets', secrets())
      const file = join(folder, 'make-secrets.sh')
      await writeFile(file, script)
      const { stdout } = await run('sh', [file], {
        env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}` },
      })
      return stdout
    }
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'compose-'))
      await mkdir(secrets())
      await mkdir(join(folder, 'bin'))
      writeFileSync(join(folder, 'bin/chown'), '#!/bin/sh\necho "$1"\n')
      chmodSync(join(folder, 'bin/chown'), 0o755)
    })
    after(() => rm(folder, { recursive: true }))

    it('exist for every secret file of a container, readable by its user only', async () => {
      const owners = new Set((await make()).trim().split('\n'))
      expect(owners).to.deep.equal(new Set(['999:999', '1000:1000']))
      const secretPaths = all.flatMap(([, { environment = {}, command = [] }]) =>
        [...Object.values(environment), ...command].filter((value) => value.startsWith('/run/secrets/')),
      )
      const files = await readdir(secrets())
      expect(secretPaths.length).to.be.above(8)
      expect(files).to.include.members(secretPaths.map((path) => path.replace('/run/secrets/', '')))
      for (const name of files) expect((await stat(join(secrets(), name))).mode & 0o777, name).to.equal(0o400)
    })

    it('form a valid configuration of the service', () => {
      const read = (path: string): string => readFileSync(path.replace('/run/secrets', secrets()), 'utf8')
      const result = readConfiguration(services.service.environment ?? {}, read)
      if (E.isLeft(result)) throw new Error(result.left.join('\n'))
      expect(result.right.MONGODB_URL).to.match(
        /^mongodb:\/\/service:[0-9a-f]{48}@mongodb:27017\/publishing_service\?replicaSet=rs0&authSource=admin$/,
      )
      expect(result.right.POSTGRESQL_URL).to.match(
        /^postgresql:\/\/service:[0-9a-f]{48}@postgresql:5432\/publishing_service$/,
      )
      expect(result.right.BOOTSTRAP_API_SECRET).to.match(/^[0-9a-f]{48}$/)
      const user = services.mongodb.environment?.['MONGO_INITDB_ROOT_USERNAME']
      expect(new URL(result.right.MONGODB_URL ?? '').username).to.equal(user)
    })

    it('do not change at the next start, including those of the operator', async () => {
      const contents = async (): Promise<Readonly<Record<string, string>>> =>
        Object.fromEntries(
          await Promise.all(
            (await readdir(secrets())).map(
              async (name) => [name, await readFile(join(secrets(), name), 'utf8')] as const,
            ),
          ),
        )
      await rm(join(secrets(), 'api_key'))
      await writeFile(join(secrets(), 'api_key'), 'mine')
      const first = await contents()
      await make()
      expect(await contents()).to.deep.equal(first)
      expect(new Set(Object.values(first)).size).to.equal(Object.keys(first).length)
    })
  })
})

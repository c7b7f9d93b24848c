/**
 * The steps of the Dockerfile, without Docker: its context is copied to an empty folder, built on the Node of the image, and
 * started as a container starts it. Only the base images are not those of Docker.
 */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import dockerignore from '@balena/dockerignore'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { root } from '../documentation/documents.js'
import { runScript, startByCommand } from '../documentation/shell.js'
import { dockerStages, listOf, valueOf, variablesOf } from './compose-file.js'

const run = promisify(execFile)

/** The folder with the Node of an image, from the registry of packages. */
const nodeOf = async (stage: string): Promise<string> => {
  const [, version = ''] = /node:([\d.]+)/.exec(dockerStages().get(stage)?.[0] ?? '') ?? []
  const options = { cwd: tmpdir(), env: { ...process.env, npm_config_ignore_scripts: 'false' } }
  const parameters = ['exec', '--yes', `--package=node@${version}`, '--', 'node', '-p', 'process.execPath']
  const { stdout } = await run('npm', parameters, options)
  return dirname(stdout.trim())
}

describe('the image', function () {
  this.timeout(600_000)
  let folder = ''
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'image-'))))
  after(() => rm(folder, { recursive: true, force: true }))

  it('is built from its context alone, and serves the sample and the dashboard', async () => {
    const directory = join(folder, 'service')
    const { stdout } = await run('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 16 * 1024 * 1024 })
    const ignored = dockerignore
      .default()
      .add((await readFile(join(root, '.dockerignore'), 'utf8')).split('\n'))
    for (const path of ignored.filter(stdout.split('\0').filter((each) => each !== '')))
      await cp(join(root, path), join(directory, path))

    const environmentOn = async (stage: string): Promise<Readonly<Record<string, string>>> => ({
      PATH: [await nodeOf(stage), process.env['PATH'] ?? ''].join(delimiter),
    })
    // The stage of the service has nothing of the build but this folder.
    const [, copied = ''] = /^--from=build (\S+) \.$/.exec(valueOf('service', 'COPY')) ?? []
    const deployed = join(folder, 'deployed')
    await runScript(valueOf('build', 'RUN').replaceAll(copied, deployed), {
      directory,
      environment: await environmentOn('build'),
    })
    await rm(directory, { recursive: true })

    const environment = {
      ...(await environmentOn('service')),
      ...variablesOf('service'),
      HOST: '127.0.0.1',
      DATA_DIR: join(folder, 'data'),
    }
    const service = await startByCommand(listOf(valueOf('service', 'ENTRYPOINT')).join(' '), {
      directory: deployed,
      environment,
    })
    try {
      const printed = await runScript(service.welcome.slice(service.welcome.indexOf('SERVICE=')), {
        directory: deployed,
      })
      expect(printed).to.include('"items":[[')
      expect((await fetch(`${service.url}/dashboard/`)).status).to.equal(200)
      expect((await fetch(`${service.url}/docs`)).status).to.equal(200)
    } finally {
      await service.stop()
    }
  })
})

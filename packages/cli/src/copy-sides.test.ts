import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { exitCodes } from '@publishing-service/composition-root'
import { CommandFailure } from './command-failure.js'
import { readSides, type Sides } from './copy-sides.js'

describe('readSides', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'publishing-sides-'))
    await mkdir(join(folder, 'data'))
    await writeFile(join(folder, 'data', 'documents.sqlite'), '')
  })
  after(() => rm(folder, { recursive: true }))

  const file = async (name: string, ...lines: readonly string[]): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, `${lines.join('\n')}\n`)
    return path
  }
  const embedded = (name = 'data') => file(`${name}.env`, `DATA_DIR=${join(folder, name)}`)

  const read = (from: string, to: string): Promise<Sides> => readSides({ from, to })
  const refused = async (from: string, to: string): Promise<readonly string[]> => {
    const error: unknown = await read(from, to).catch((reason: unknown) => reason)
    if (!(error instanceof CommandFailure)) throw new Error('nothing is wrong with them')
    expect(error.code).to.equal(exitCodes.configuration)
    return error.lines
  }

  it('reads files like the environment of the service, also secrets in separate files', async () => {
    const secret = await file('secret', 'mongodb://user:hidden-word@db.example.org/news?tls=true')
    const to = await file(
      'to.env',
      '# where it goes',
      'STORE=mongodb',
      `MONGODB_URL_FILE="${secret}"`,
      'BLOBS=minio',
      "MINIO_URL='https://minio.example.org/'",
      'MINIO_ACCESS_KEY=a',
      'MINIO_SECRET_KEY=hidden-word',
      'MINIO_BUCKET=news-files',
    )
    const sides = await read(await embedded(), to)
    expect(sides.from.places).to.deep.equal({
      documents: join(folder, 'data', 'documents.sqlite'),
      blobs: join(folder, 'data', 'blobs'),
    })
    expect(sides.to.places).to.deep.equal({
      documents: 'mongodb://db.example.org/news',
      blobs: 'https://minio.example.org/news-files',
    })
    expect(sides.to.configuration.MONGODB_URL).to.include('user:hidden-word')
  })

  it('reports all problems of both files, without secrets', async () => {
    const from = await file('wrong.env', 'STORE=oracle', 'PORT=x')
    const to = await file('other.env', 'STORE=mongodb', 'MONGODB_URL=hidden-word')
    const lines = await refused(from, to)
    expect(lines).to.have.length(3)
    expect(lines[0]).to.match(/^--from, \S+wrong\.env: PORT must be/)
    expect(lines[1]).to.match(/^--from, \S+wrong\.env: STORE must be one of/)
    expect(lines[2]).to.match(/^--to, \S+other\.env: MONGODB_URL must be a connection string/)
    expect(lines.join()).not.to.include('hidden-word')
  })

  it('rejects every unknown name in a file, and suggests the correct one', async () => {
    const from = await file('unknown.env', `DATA_DIR=${join(folder, 'data')}`, 'COMPOSE_PROJECT_NAME=news')
    const to = await file('misspelled.env', 'STOER=mongodb', `DATA_DIR=${join(folder, 'new')}`)
    const lines = await refused(from, to)
    expect(lines).to.have.length(2)
    expect(lines[0]).to.match(/^--from, \S+: COMPOSE_PROJECT_NAME is no variable of the service: /)
    expect(lines[1]).to.match(/^--to, \S+: STOER is no variable of the service, and STORE is: /)
  })

  it('uses no default for the target', async () => {
    const mongodb = ['STORE=mongodb', 'MONGODB_URL=mongodb://localhost/news']
    const minio = ['BLOBS=minio', 'MINIO_URL=http://localhost', 'MINIO_ACCESS_KEY=a', 'MINIO_SECRET_KEY=b']
    for (const [name, lines] of [
      ['DATA_DIR', ['STORE=sqlite']],
      ['DATA_DIR', mongodb],
      ['DATA_DIR', [...minio, 'MINIO_BUCKET=news']],
      ['MINIO_BUCKET', [...mongodb, ...minio]],
    ] as const)
      expect(
        await refused(await embedded(), await file('default.env', ...lines)),
        lines.join(),
      ).to.deep.equal([
        `--to, ${join(folder, 'default.env')}: ${name} must be set, because it selects the target; its default is not used for a copy`,
      ])
    await read(await embedded(), await file('named.env', ...mongodb, ...minio, 'MINIO_BUCKET=news'))
  })

  it('reports that a file cannot be read', async () => {
    const [line] = await refused(join(folder, 'nowhere.env'), await embedded())
    expect(line).to.match(/^--from, \S+nowhere\.env: it can’t be read: ENOENT/)
  })

  it('rejects stores in memory', async () => {
    const memory = await file('memory.env', 'STORE=memory', 'BLOBS=memory', `DATA_DIR=${folder}`)
    expect(await refused(await embedded(), memory)).to.have.length(1)
    expect(await refused(memory, await embedded())).to.have.length(1)
  })

  it('rejects the same store on both sides', async () => {
    const [line] = await refused(await embedded(), await file('same.env', `DATA_DIR=${folder}/./data`))
    expect(line).to.match(/^both sides have their documents in \S+documents\.sqlite: choose another target$/)
  })

  it('rejects a folder without documents as a source, and creates none there', async () => {
    const [line] = await refused(await embedded('mistaken'), await embedded())
    expect(line).to.match(
      /^--from, \S+mistaken\.env: DATA_DIR contains no data of a service: \S+documents\.sqlite is missing$/,
    )
    await read(await embedded(), await embedded('new'))
  })
})

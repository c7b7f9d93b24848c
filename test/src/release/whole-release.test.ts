/**
 * A whole release of a clone of this repository, without an image: every package is packed and checked, the bill of materials is
 * made, and the commits and the tag are (docs/contributing.md#release).
 */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonObject } from '@publishing-service/domain/json'
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { readDocument, root } from '../documentation/documents.js'
import { runScript } from '../documentation/shell.js'
import { packageNames, tarballOf } from '../packages/pack.js'
import { componentsOf } from './bill.js'
import { lastRelease, unreleasedNotes } from './changelog.js'
import { nextMinor, releaseOf } from './version.js'

const manifest: unknown = JSON.parse(readDocument('package.json').text)
const development = isJsonObject(manifest) ? String(manifest['version']) : ''
const version = releaseOf(development)

const note = '- A line of a test, so that there are notes right after a release too.'

describe('a release of this repository', function () {
  this.timeout(300_000)
  let folder: string
  let clone: string
  let made: string

  /** Uses what is built and installed here. */
  const linkInstalled = async (path: string): Promise<void> => {
    if (existsSync(join(root, path))) await symlink(join(root, path), join(clone, path))
  }
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'whole-release-'))
    clone = join(folder, 'clone')
    made = join(folder, 'made')
    await runScript(`git clone --quiet --shared '${root}' clone`, { directory: folder })
    const built = ['test', ...packageNames.map((name) => `packages/${name}`)].map((each) => `${each}/dist`)
    for (const each of built)
      await cp(join(root, each), join(clone, each), {
        recursive: true,
        filter: (path) => !path.endsWith('.map'),
      })
    for (const each of ['.', ...packageNames.map((name) => `packages/${name}`)])
      await linkInstalled(join(each, 'node_modules'))
    const changelog = await readFile(join(clone, 'CHANGELOG.md'), 'utf8')
    await writeFile(
      join(clone, 'CHANGELOG.md'),
      changelog.replace('\n## Unreleased\n', `\n## Unreleased\n\n${note}\n`),
    )
    await inClone(`
      git config user.name Tester
      git config user.email tester@example.org
      echo node_modules >>.git/info/exclude
      git commit --quiet --all --message Notes`)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  const inClone = (script: string): Promise<string> => runScript(script, { directory: clone })
  const release = (options: string): Promise<string> => inClone(`node test/dist/release/main.js ${options}`)
  /** What a release that is refused prints. */
  const refused = async (options: string): Promise<string> =>
    inClone(`if node test/dist/release/main.js ${options}; then echo released; exit 1; fi`)

  if (version === null) {
    it('is refused on the commit of a release', async () => {
      expect(await refused('--dry-run')).to.include(development)
    })
    return
  }

  it('is refused where Git has changes or the tag', async () => {
    await inClone(`touch new-file && git tag v${version}`)
    const printed = await refused('--dry-run')
    await inClone(`rm new-file && git tag --delete v${version}`)
    expect(printed).to.include('new-file').and.include(`the tag v${version}`)
    expect(printed).to.match(/2 faults/)
  })

  describe('that is made', () => {
    const next = nextMinor(nextMinor(version))
    let printed: string
    before(async () => {
      printed = await release(`--without-image --to '${made}' --next ${next}`)
    })

    const show = (path: string): Promise<string> => inClone(`git show 'v${version}:${path}'`)

    it('is a commit with a tag that is pushed, before the development of the next one', async () => {
      expect(await inClone(`git cat-file -t v${version}`)).to.equal('tag\n')
      expect(await inClone(`git rev-parse 'v${version}^{commit}'`)).to.equal(
        await inClone('git rev-parse HEAD~1'),
      )
      expect(await inClone('git status --porcelain')).to.equal('')
      expect(await inClone(`git tag --list --format='%(contents:body)' v${version}`)).to.include(note)
    })

    it('has its version in all files, and the next one afterwards', async () => {
      const naming = async (name: string, commit: string): Promise<readonly string[]> =>
        (
          await inClone(
            `git grep -lF '${name}' ${commit} -- ':!CHANGELOG.md' ':!docs/decisions' ':!test' | cut -d: -f2 || true`,
          )
        ).split('\n')
      const earlier = await naming(development, 'HEAD~2')
      expect(earlier).to.include.members(['package.json', 'package-lock.json', 'docker-compose.yml'])
      expect(await naming(development, `v${version}`)).to.deep.equal([''])
      expect(await naming(version, `v${version}`)).to.include.members([...earlier])
      expect(await naming(`${next}-dev`, 'HEAD')).to.deep.equal(earlier)
      // What is locked for others stays locked.
      const changed = await inClone(`git diff --unified=0 HEAD~2 HEAD -- package-lock.json | grep '^[-+] '`)
      for (const line of changed.trim().split('\n'))
        expect(line).to.match(new RegExp(`"(${development}|${next}-dev)"`))
    })

    it('has the notes below its version, and the OpenAPI document of its version alone', async () => {
      const changelog = await show('CHANGELOG.md')
      expect([lastRelease(changelog), unreleasedNotes(changelog)]).to.deep.equal([version, ''])
      const [, released = ''] = changelog.split(/^## \d.*\n/m)
      expect(released.trim().startsWith(note)).to.equal(true)
      expect(await inClone('ls docs/api')).to.equal(`openapi-${version}.json\n`)
      const document: unknown = JSON.parse(await show(`docs/api/openapi-${version}.json`))
      expect(document).to.have.nested.property('info.version', version)
    })

    it('has all packages, which report its version', async () => {
      const tarballs = packageNames.map((name) => tarballOf(name, version))
      expect(await readdir(made)).to.have.members(['notes.md', 'bill-of-materials.cdx.json', ...tarballs])
      // Installed by hand, beside what is installed here from the registry.
      const installed = join(folder, 'app/node_modules/@publishing-service')
      await mkdir(installed, { recursive: true })
      const unpack = packageNames.map(
        (name) =>
          `mkdir ${name} && tar -xzf '${join(made, tarballOf(name, version))}' -C ${name} --strip-components 1`,
      )
      await runScript(unpack.join('\n'), { directory: installed })
      for (const name of packageNames) {
        const own = join(root, 'packages', name, 'node_modules')
        if (existsSync(own)) await symlink(own, join(installed, name, 'node_modules'))
      }
      await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
      const reported = await runScript('node cli/bin/admin.js --version', { directory: installed })
      expect(reported).to.equal(`${version}\n`)
      // The licences of what the dashboard contains are handed on with it.
      const licences = await readFile(join(installed, 'dashboard/dist/web/licences.json'), 'utf8')
      expect(licences).to.include('Permission is hereby granted')
    })

    it('has a bill of what is used and what is bundled, without examples and without folders of the machine', async () => {
      const text = await readFile(join(made, 'bill-of-materials.cdx.json'), 'utf8')
      const bill: unknown = JSON.parse(text)
      if (!isJsonObject(bill)) throw new Error('the bill is an object')
      expect(bill).to.include({ bomFormat: 'CycloneDX' })
      expect(bill).to.have.nested.property('metadata.component.name', 'publishing-service')
      expect(bill).to.have.nested.property('metadata.component.version', version)
      const names = componentsOf(bill).map((each) => each['bom-ref'].replace(/@[^@]*$/, ''))
      expect(names).to.include.members([
        'koa',
        'better-sqlite3',
        'react',
        'swagger-ui-dist',
        '@publishing-service/cli',
      ])
      for (const other of ['example-website', 'mocha', 'vite', 'typescript'])
        expect(names).to.not.include(other)
      expect(text).to.not.include(folder).and.not.include(root)
    })

    it('ends with the commands that publish it, in the order of dependence', () => {
      const [, list = ''] = printed.split('What publishes it:\n\n')
      const commands = list.trim().split('\n')
      const placeOf = (name: string): number =>
        commands.findIndex((command) => command.includes(`'${join(made, tarballOf(name, version))}'`))
      expect(commands).to.have.lengthOf(packageNames.length + 1)
      expect(placeOf('domain')).to.be.greaterThanOrEqual(0)
      expect(placeOf('ports')).to.be.greaterThan(placeOf('domain'))
      expect(placeOf('composition-root')).to.be.greaterThan(placeOf('adapter-sqlite'))
      expect(placeOf('cli')).to.be.greaterThan(placeOf('composition-root'))
      expect(commands.at(-1)).to.equal('git push --follow-tags')
    })
  })
})

/** The two commits of a release: that of the release, with its tag, and that of the version which is developed next. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openApiDocument } from '@publishing-service/http-contract/openapi'
import { root } from '../documentation/documents.js'
import { lastRelease, withRelease } from './changelog.js'
import type { Plan } from './preconditions.js'
import { git, textsWithVersion, uncommittedChanges, withVersionIn, type Texts } from './repository.js'
import { developmentOf, withVersion } from './version.js'

const write = async (texts: Texts): Promise<void> => {
  for (const [path, text] of texts) await writeFile(join(root, path), text)
  await git('add', '--', ...texts.keys())
}

const documentOf = (release: string): string => `docs/api/openapi-${release}.json`

/** Commits and tags. If that fails half-way, it throws with the command that takes it back. */
export const commitRelease = async (
  { development, version, next, notes }: Plan,
  changelog: string,
  date: string,
): Promise<void> => {
  const changes = await uncommittedChanges('no')
  if (changes.length > 0)
    throw new Error(`files have changed while the release was made: ${changes.join(', ')}`)
  const start = (await git('rev-parse', 'HEAD')).trim()
  const tag = `v${version}`
  try {
    const present = await textsWithVersion(development)
    const earlier = lastRelease(changelog)
    if (earlier !== null) {
      await rm(join(root, documentOf(earlier)))
      await git('add', '--', documentOf(earlier))
    }
    const api = withVersion(JSON.stringify(openApiDocument()), development, version)
    await write(
      new Map([
        ...withVersionIn(present, development, version),
        ['CHANGELOG.md', withRelease(changelog, version, date)],
        [documentOf(version), `${api}\n`],
      ]),
    )
    await git('commit', '--quiet', '--message', `Release ${version}`)
    // With a message, since `git push --follow-tags` pushes no other tags. Lines that begin with # are kept.
    await git('tag', '--annotate', tag, '--cleanup=verbatim', '--message', `${tag}\n\n${notes}\n`)
    await write(withVersionIn(present, development, developmentOf(next)))
    await git('commit', '--quiet', '--message', `Begin the development of ${next}`)
  } catch (error) {
    const undo = `git reset --hard ${start} && git tag --delete ${tag}`
    throw new Error(`the release is not committed as a whole. To take it back: ${undo}`, { cause: error })
  }
}

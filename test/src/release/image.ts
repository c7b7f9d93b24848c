/** The image of a release, built by Docker or Podman where one of them works. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What a program that failed has said last; or that there is none. */
const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && error.code === 'ENOENT') return 'is not installed'
  const said = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : error.message
  return `says "${said.split('\n').at(-1) ?? ''}"`
}

export type Image =
  /** No program works that builds images. */
  | { readonly _tag: 'NotBuilt'; readonly reason: string }
  /** The image was built, or tried, and is wrong. */
  | { readonly _tag: 'Faulty'; readonly fault: string }
  | { readonly _tag: 'Built'; readonly engine: string; readonly tag: string; readonly bytes: number }

/** A program that can build images, and the environment that it is started in. */
export type Engine = { readonly name: string; readonly environment: NodeJS.ProcessEnv }

const engines = ['docker', 'podman'] as const

/** The first program that works: the client of Docker may be installed where its service is not. Or why none does. */
export const findEngine = async (
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Engine | { readonly reason: string }> => {
  const reasons: string[] = []
  for (const name of engines)
    try {
      await run(name, ['info'], { env: environment })
      return { name, environment }
    } catch (error) {
      reasons.push(`${name} ${reasonOf(error)}`)
    }
  return { reason: reasons.join('; ') }
}

export type ImageOrder = {
  /** The folder with the files of the release. */
  readonly context: string
  readonly version: string
  /** The address of the repository in a browser. */
  readonly source: string
}

const label = 'org.opencontainers.image'

/** Builds the image, and asks it for its version. */
export const buildImage = async (
  { name, environment }: Engine,
  { context, version, source }: ImageOrder,
): Promise<Image> => {
  const tag = `publishing-service:${version}`
  const labels = [`${label}.version=${version}`, `${label}.source=${source}`, `${label}.licenses=Apache-2.0`]
  const started = (...parameters: readonly string[]) =>
    run(name, [...parameters], { env: environment, maxBuffer: 64 * 1024 * 1024 })
  try {
    await started(
      'build',
      '--target',
      'service',
      '--tag',
      tag,
      ...labels.flatMap((each) => ['--label', each]),
      context,
    )
    const program = 'packages/cli/bin/admin.js'
    const { stdout: reported } = await started(
      'run',
      '--rm',
      '--entrypoint',
      'node',
      tag,
      program,
      '--version',
    )
    if (reported.trim() !== version)
      return { _tag: 'Faulty', fault: `the image is of version ${reported.trim()} instead of ${version}` }
    const { stdout: bytes } = await started('image', 'inspect', '--format', '{{.Size}}', tag)
    return { _tag: 'Built', engine: name, tag, bytes: Number(bytes) }
  } catch (error) {
    return { _tag: 'Faulty', fault: `the image cannot be built: ${name} ${reasonOf(error)}` }
  }
}

/** The parts of docker-compose.yml that the tests read. Variables have their defaults, and `$$` is unescaped, as Compose does. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../documentation/documents.js'

export type ComposeService = {
  readonly image: string
  readonly build?: { readonly context: string; readonly target: string }
  readonly command?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly configs?: readonly { readonly source: string; readonly target: string }[]
  readonly networks?: readonly string[]
  readonly ports?: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
}

type ComposeFile = {
  readonly services: Readonly<Record<'service' | 'mongodb' | 'minio' | 'secrets', ComposeService>>
  readonly volumes: Readonly<Record<string, null>>
  readonly configs: Readonly<Record<string, { readonly content: string }>>
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>
}

export const composePath = join(root, 'docker-compose.yml')

export const composeFile = parse(
  readFileSync(composePath, 'utf8')
    .replaceAll(/(?<!\$)\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll('$$', '$'),
) as ComposeFile

/** The instructions of each stage of the Dockerfile, by the name of the stage. */
export const dockerStages = (): ReadonlyMap<string, readonly string[]> => {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const stages = new Map<string, string[]>()
  for (const line of lines) {
    const [, name] = /^FROM \S+ AS (\S+)$/.exec(line) ?? []
    if (name !== undefined) stages.set(name, [])
    ;[...stages.values()].at(-1)?.push(line)
  }
  return stages
}

/** The values of the instructions of a stage, such as the commands of its RUN. */
export const valuesOf = (stage: string, instruction: string): readonly string[] =>
  (dockerStages().get(stage) ?? [])
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1))

/** The value of the one such instruction of a stage. */
export const valueOf = (stage: string, instruction: string): string => {
  const [found, ...others] = valuesOf(stage, instruction)
  if (found === undefined || others.length > 0)
    throw new Error(`${stage} has not one instruction ${instruction}`)
  return found
}

/** A list in JSON, such as that of ENTRYPOINT. */
export const listOf = (text: string): readonly string[] => JSON.parse(text) as readonly string[]

/** The pairs of the ENV instructions of a stage. */
export const variablesOf = (stage: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    valuesOf(stage, 'ENV').flatMap((line) =>
      line
        .split(' ')
        .map((pair) => [pair.split('=', 1)[0] ?? '', pair.slice(pair.indexOf('=') + 1)] as const),
    ),
  )

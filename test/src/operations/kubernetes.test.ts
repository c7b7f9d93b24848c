/** docs/operations/kubernetes.yaml fits the types of Kubernetes, the configuration and the endpoints of the service. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { Service } from 'kubernetes-types/core/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import { describe, it } from 'mocha'
import { parse } from 'yaml'
import { configurationTable, readConfiguration } from '@publishing-service/composition-root'
import { E } from '@publishing-service/domain/fp'
import { endpoints } from '@publishing-service/http-contract'
import { composeFile } from '../containers/compose-file.js'
import { readDocument, root } from '../documentation/documents.js'

const run = promisify(execFile)

const text = readFileSync(join(root, 'docs/operations/kubernetes.yaml'), 'utf8')
const [deployment, service, budget] = text.split(/^---$/m).map((each): unknown => parse(each)) as [
  Deployment,
  Service,
  PodDisruptionBudget,
]

const pod = deployment.spec?.template.spec
const [container] = pod?.containers ?? []
const environment = Object.fromEntries((container?.env ?? []).map(({ name, value = '' }) => [name, value]))
const labels = deployment.spec?.template.metadata?.labels
const withoutFile = (name: string): string => name.replace(/_FILE$/, '')

/** What the compiler says of values of these types: unknown and missing attributes among others. */
const faultsOf = async (
  ...objects: readonly (Deployment | Service | PodDisruptionBudget)[]
): Promise<string> => {
  const source = objects.map((each, index) => {
    const module = each.apiVersion === 'v1' ? 'core/v1' : each.apiVersion
    return `import type { ${each.kind} as Type${index} } from 'kubernetes-types/${module}.js'
export const value${index}: Type${index} = ${JSON.stringify(each)}`
  })
  // In this folder, so that the types are found.
  const file = fileURLToPath(new URL(`manifests-${process.pid}.mts`, import.meta.url))
  await writeFile(file, source.join('\n'))
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--skipLibCheck',
    '--types',
    '',
  ]
  try {
    await run(process.execPath, [compiler, ...options, file])
    return ''
  } catch (error) {
    return error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
  } finally {
    await rm(file)
  }
}

describe('docs/operations/kubernetes.yaml', () => {
  it('has only attributes that Kubernetes knows, of their types', async () => {
    expect(await faultsOf(deployment, service, budget)).to.equal('')
    const misspelled = { ...service, spec: { ...service.spec, portz: [] } }
    expect(await faultsOf(misspelled)).to.include('portz')
    const incomplete = { ...service, spec: { ports: [{ name: 'http' }] } }
    // @ts-expect-error: the port is missing.
    expect(await faultsOf(incomplete)).to.include("'port'")
  })

  it('selects the processes of the deployment, and reaches them at their port', () => {
    expect(labels).to.have.property('app.kubernetes.io/name')
    const spread = pod?.topologySpreadConstraints ?? []
    for (const selector of [
      deployment.spec?.selector.matchLabels,
      service.spec?.selector,
      budget.spec?.selector?.matchLabels,
      ...spread.map(({ labelSelector }) => labelSelector?.matchLabels),
    ])
      expect(selector).to.deep.equal(labels)
    expect(container?.ports).to.deep.equal([
      { name: 'http', containerPort: Number(configurationTable.PORT.fallback) },
    ])
    expect(service.spec?.ports?.map(({ targetPort }) => targetPort)).to.deep.equal(['http'])
  })

  it('passes known variables, and secrets as files only, which form a valid configuration', () => {
    for (const name of Object.keys(environment)) {
      expect(configurationTable, name).to.have.property(withoutFile(name))
      const { secret = false } = { ...configurationTable[withoutFile(name) as 'BOOTSTRAP_API_KEY'] }
      expect(secret, name).to.equal(name.endsWith('_FILE'))
    }
    const secrets: Readonly<Record<string, string>> = {
      postgresql_url: 'postgresql://service@db.example.org/publishing',
    }
    const read = (path: string): string => secrets[path.split('/').at(-1) ?? ''] ?? 'a-secret-of-the-test'
    const result = readConfiguration(environment, read)
    expect(E.isLeft(result) ? result.left : []).to.deep.equal([])
  })

  it('mounts the secrets that docs/operations/README.md creates, where the variables name them', () => {
    const created = [...readDocument('docs/operations/README.md').text.matchAll(/--from-file=(\w+)/g)].map(
      ([, name = '']) => name,
    )
    const mounts = container?.volumeMounts ?? []
    const place = mounts.find(({ name }) => name === 'secrets')?.mountPath
    const named = Object.entries(environment).flatMap(([name, value]) =>
      name.endsWith('_FILE') ? [value] : [],
    )
    expect(named).to.have.members(created.map((name) => `${place}/${name}`))
    expect(mounts.map(({ name }) => name)).to.have.members((pod?.volumes ?? []).map(({ name }) => name))
  })

  it('asks endpoints of the service, by which it is ready and lives', () => {
    const probes = [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]
    expect(probes.map((probe) => probe?.httpGet?.path)).to.deep.equal([
      '/health/live',
      '/health/live',
      '/health/ready',
    ])
    for (const probe of probes) {
      expect(endpoints.map(({ path }) => path)).to.include(probe?.httpGet?.path)
      expect(probe?.httpGet?.port).to.equal('http')
    }
  })

  it('waits for the whole stop, and replaces no process before another is ready', () => {
    const delay = Number(environment['SHUTDOWN_DELAY'])
    expect(delay).to.be.above(0)
    expect(pod?.terminationGracePeriodSeconds).to.be.at.least(delay + 10)
    expect(deployment.spec?.strategy?.rollingUpdate).to.deep.equal({ maxUnavailable: 0, maxSurge: 1 })
    expect(deployment.spec?.replicas).to.be.above(Number(budget.spec?.minAvailable))
  })

  it('runs the image of docker-compose.yml, without privileges and on a read-only file system', () => {
    expect(container?.image).to.equal(composeFile.services.service.image)
    expect(pod?.securityContext).to.include({ runAsNonRoot: true, runAsUser: 1000 })
    expect(container?.securityContext).to.deep.equal({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    expect(pod?.automountServiceAccountToken).to.equal(false)
  })
})

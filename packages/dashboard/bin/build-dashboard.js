// Bundles the dashboard for the browser, from the declarations of the API and the sources in src/web.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const home = fileURLToPath(new URL('..', import.meta.url))
const output = join(home, 'dist', 'web')
const page = join(output, 'index.html')

const newestIn = (directory) =>
  readdirSync(directory, { withFileTypes: true, recursive: true }).reduce(
    (newest, entry) =>
      entry.isFile() && !entry.name.startsWith('.')
        ? Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs)
        : newest,
    0,
  )

/** What the bundle is made of. The model in it comes from the declarations of the domain. */
const sources = ['src', 'bin', '../domain/src', '../client/src']

const isStale = () =>
  !existsSync(page) ||
  Math.max(...sources.map((source) => newestIn(join(home, source)))) > statSync(page).mtimeMs

/** A module with the description of the API. */
const modelPlugin = () => ({
  name: 'model',
  resolveId: (id) => (id === 'virtual:model' ? `\0${id}` : null),
  load: async (id) => {
    if (id !== '\0virtual:model') return null
    const { describeModel } = await import('../dist/index.js')
    return `export const model = JSON.parse(${JSON.stringify(JSON.stringify(describeModel()))})`
  },
})

/** Builds the files that the service serves at /dashboard. An installation from the registry has them. */
export const buildDashboard = async () => {
  if (!existsSync(join(home, 'src')) || !isStale()) return
  const { build } = await import('vite')
  const { default: react } = await import('@vitejs/plugin-react')
  await build({
    root: home,
    base: './',
    configFile: false,
    logLevel: 'warn',
    // The service replaces it in each response (adapter-koa/src/dashboard.ts).
    html: { cspNonce: 'NONCE' },
    plugins: [modelPlugin(), react()],
    // From its sources, so that the compiler need not run first.
    resolve: { alias: { '@publishing-service/client': join(home, '../client/src/index.ts') } },
    build: {
      outDir: output,
      emptyOutDir: true,
      target: 'es2022',
      assetsInlineLimit: 0,
      // The licences of what the bundle contains, which ask to be handed on with it. The bill of materials reads it too.
      license: { fileName: 'licences.json' },
      // Editors and pages that are not needed at first are loaded later.
      modulePreload: { polyfill: false },
      rolldownOptions: { onwarn: () => undefined },
    },
  })
}

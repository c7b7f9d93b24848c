// The arrows of the architecture. A package may import only the packages named for it; drivers stay in their adapter.
const arrows = {
  domain: [],
  access: ['domain'],
  'foreign-markup': ['domain'],
  imports: ['domain', 'foreign-markup'],
  'zip-files': [],
  'import-files': ['domain', 'imports', 'zip-files'],
  ports: ['domain'],
  'image-header': ['domain', 'ports'],
  'imaging-pool': ['domain', 'ports', 'image-header'],
  application: ['domain', 'access', 'ports'],
  'http-contract': ['domain', 'access'],
  'reference-page': ['domain', 'http-contract'],
  dashboard: ['domain', 'access', 'client', 'foreign-markup'],
  'adapter-koa': ['domain', 'access', 'ports', 'application', 'http-contract', 'reference-page', 'dashboard'],
  'sql-kit': ['domain', 'ports'],
  'adapter-sqlite': ['domain', 'ports', 'sql-kit'],
  'adapter-postgresql': ['domain', 'ports', 'sql-kit'],
  'adapter-memory': ['domain', 'ports'],
  'adapter-mongodb': ['domain', 'ports'],
  'adapter-minio': ['domain', 'ports'],
  'adapter-filesystem': ['domain', 'ports'],
  'adapter-jimp': ['domain', 'ports', 'image-header', 'imaging-pool'],
  'adapter-sharp': ['domain', 'ports', 'image-header', 'imaging-pool'],
  'adapter-system': ['domain', 'ports'],
  'adapter-identity': ['domain', 'ports'],
  'adapter-prometheus': ['ports'],
  conformance: ['domain', 'ports', 'image-header'],
  sample: ['domain'],
  cli: [
    'domain',
    'access',
    'ports',
    'application',
    'http-contract',
    'imports',
    'import-files',
    'composition-root',
  ],
  client: [],
}

/** Packages from the registry that only one package may know. */
const owners = {
  inversify: 'composition-root',
  'reflect-metadata': 'composition-root',
  koa: 'adapter-koa',
  '@koa/router': 'adapter-koa',
  '@koa/cors': 'adapter-koa',
  'koa-body': 'adapter-koa',
  'better-sqlite3': 'adapter-sqlite',
  mongodb: 'adapter-mongodb',
  pg: 'adapter-postgresql',
  minio: 'adapter-minio',
  pino: 'adapter-system',
  'prom-client': 'adapter-prometheus',
  'ipaddr.js': 'adapter-system',
  nodemailer: 'adapter-system',
  '@simplewebauthn/server': 'adapter-identity',
  '@zxcvbn-ts/core': 'adapter-identity',
  'openid-client': 'adapter-identity',
  otpauth: 'adapter-identity',
  commander: 'cli',
  'openapi-fetch': 'client',
  '@jimp/core': 'adapter-jimp',
  jscolorengine: 'adapter-jimp',
  sharp: 'adapter-sharp',
  saxes: '(domain|imports)',
  yauzl: 'zip-files',
  yazl: 'zip-files',
  'temporal-polyfill': 'domain',
  'rrule-temporal': 'domain',
  'any-ascii': 'domain',
  entities: 'domain',
  'jsonc-parser': 'http-contract',
}

const tests =
  '\\.(test|test-data|conformance)\\.tsx?$|/test-(processes|support)/|^packages/domain/src/testing/'
const pure = [
  'domain',
  'access',
  'foreign-markup',
  'imports',
  'ports',
  'image-header',
  'application',
  'http-contract',
  'reference-page',
  'client',
]

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(arrows).map(([name, allowed]) => ({
      name: `${name}-imports-only-what-lies-below`,
      severity: 'error',
      from: { path: `^packages/${name}/src`, pathNot: tests },
      to: { path: '^packages/([^/]+)/', pathNot: [name, ...allowed].map((each) => `^packages/${each}/`) },
    })),
    ...Object.entries(owners).map(([module, owner]) => ({
      name: `${module}-belongs-to-${owner}`,
      severity: 'error',
      from: { path: '^packages/', pathNot: [`^packages/${owner}/`, tests] },
      to: { path: `node_modules/${module}/` },
    })),
    {
      name: 'pure-packages-know-no-platform',
      severity: 'error',
      from: { path: `^packages/(${pure.join('|')})/src`, pathNot: tests },
      to: { dependencyTypes: ['core'] },
    },
    {
      // What a topic adds is in `topics.ts`.
      name: 'the-engine-imports-no-topic',
      severity: 'error',
      from: { path: '^packages/application/src/engine/', pathNot: tests },
      to: { path: '^packages/application/src/[^/]+/', pathNot: '^packages/application/src/engine/' },
    },
    {
      name: 'only-the-command-line-imports-the-composition-root',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/(composition-root|cli)/' },
      to: { path: '^packages/composition-root/' },
    },
    {
      name: 'nobody-imports-the-command-line',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/cli/' },
      to: { path: '^packages/cli/' },
    },
    {
      name: 'production-knows-no-test-libraries',
      severity: 'error',
      from: { path: '^packages/', pathNot: [tests, '^packages/conformance/'] },
      to: { path: 'node_modules/(mocha|chai|fast-check)/' },
    },
    {
      name: 'production-imports-no-builders-of-tests',
      severity: 'error',
      from: { path: '^packages/', pathNot: tests },
      to: { path: '^packages/domain/(src|dist)/testing/' },
    },
    {
      name: 'no-undeclared-packages',
      severity: 'error',
      // The bundle of the dashboard contains what it imports.
      from: { path: '^packages/', pathNot: [tests, '^packages/dashboard/src/(web|editor)/'] },
      to: {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown', 'npm-dev'],
        // A peer is a dependency of development as well, so that it is there for the package's own tests.
        dependencyTypesNot: ['npm-peer'],
        pathNot: '^packages/',
      },
    },
  ],
  options: {
    parser: 'swc',
    // This parser does not read TSX: test/src/architecture/dashboard-circles.test.ts finds circles there.
    exclude: { path: '\\.tsx$' },
    tsPreCompilationDeps: true,
    // Packages import each other as they are built: an import of another package leads to its dist, and ends there.
    doNotFollow: { path: 'node_modules|(^|/)dist/' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
    combinedDependencies: false,
  },
}

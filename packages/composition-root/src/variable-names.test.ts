import { expect } from 'chai'
import { describe, it } from 'mocha'
import { configurationTable, type Variable } from './configuration-table.js'
import { wrongNames } from './variable-names.js'

const table: Readonly<Record<string, Variable<unknown>>> = configurationTable
const setAll = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'x']))

describe('the names in an environment of several programs', () => {
  for (const [name, meant] of [
    ['STOER', 'STORE'],
    ['STORES', 'STORE'],
    ['MONGODB_URI', 'MONGODB_URL'],
    ['MONGODB_URI_FILE', 'MONGODB_URL_FILE'],
    ['MONGO_URL', 'MONGODB_URL'],
    ['MINIO_ACESS_KEY', 'MINIO_ACCESS_KEY'],
    ['DATADIR', 'DATA_DIR'],
    ['PORTS', 'PORT'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['BASE_URI', 'BASE_URL'],
  ] as const)
    it(`names ${meant} for ${name}`, () => {
      expect(wrongNames({ [name]: 'a-secret' }, table, true)).to.deep.equal([
        `${name} is no variable of the service, and ${meant} is: correct the name, or remove it`,
      ])
    })

  it('finds every variable whose name lacks its last letter', () => {
    for (const name of Object.keys(table)) {
      const [message] = wrongNames({ [name.slice(0, -1)]: 'x' }, table, true)
      expect(message, name).to.match(new RegExp(`, and ${name} is: `))
    }
  })

  it('accepts the variables themselves and the files of secrets', () => {
    const files = Object.entries(table).flatMap(([name, { secret }]) => (secret ? [`${name}_FILE`] : []))
    expect(files).to.not.deep.equal([])
    expect(wrongNames(setAll([...Object.keys(table), ...files]), table, true)).to.deep.equal([])
  })

  it('ignores a name without a value', () => {
    expect(wrongNames({ STOER: undefined }, table, true)).to.deep.equal([])
  })

  // What shells, Node.js, npm, node-gyp, systemd, Kubernetes and continuous integration set or read.
  const ofOthers =
    'PATH HOME PWD OLDPWD SHELL SHLVL USER LOGNAME HOSTNAME HOSTTYPE OSTYPE MACHTYPE LANG LC_ALL LC_CTYPE TERM TZ ' +
    'COLUMNS LINES EDITOR VISUAL PAGER MAIL PS1 PS2 IFS ENV CDPATH MAILCHECK TMPDIR TEMP TMP RANDOM SECONDS UID EUID ' +
    'PPID DISPLAY SSH_AUTH_SOCK XDG_DATA_DIRS XDG_DATA_HOME XDG_RUNTIME_DIR XDG_SESSION_ID LS_COLORS DEBIAN_FRONTEND ' +
    'NODE NODE_ENV NODE_OPTIONS NODE_PATH NODE_DEBUG NODE_EXTRA_CA_CERTS NODE_V8_COVERAGE NODE_REPL_HISTORY NO_COLOR ' +
    'FORCE_COLOR NODE_NO_WARNINGS NODE_VERSION YARN_VERSION UV_THREADPOOL_SIZE SSL_CERT_FILE SSL_CERT_DIR OPENSSL_CONF ' +
    'INIT_CWD COLOR PREFIX npm_config_cache npm_execpath npm_lifecycle_event npm_package_name npm_node_execpath JOBS MAKE ' +
    'PYTHON CC CXX CFLAGS HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy CI DEBUG HOSTALIASES GLIBC_TUNABLES LD_PRELOAD ' +
    'LD_LIBRARY_PATH MALLOC_ARENA_MAX STATE_DIRECTORY LOGS_DIRECTORY RUNTIME_DIRECTORY CREDENTIALS_DIRECTORY ' +
    'CONFIGURATION_DIRECTORY NOTIFY_SOCKET INVOCATION_ID JOURNAL_STREAM LISTEN_FDS LISTEN_PID MAINPID ' +
    'KUBERNETES_PORT KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT MINIO_PORT MINIO_SERVICE_HOST MINIO_SERVICE_PORT ' +
    'MONGODB_PORT MONGODB_SERVICE_HOST MONGODB_SERVICE_PORT MONGODB_PORT_27017_TCP MINIO_ROOT_USER MINIO_ROOT_PASSWORD ' +
    'COMPOSE_PROJECT_NAME DOCKER_HOST GITHUB_TOKEN APPDATA COMSPEC OS PATHEXT SYSTEMROOT WINDIR USERPROFILE'
  it('accepts the names that other programs use', () => {
    expect(wrongNames(setAll(ofOthers.split(' ')), table, true)).to.deep.equal([])
  })
})

describe('the names in a file for the service', () => {
  it('names every unknown variable of a file, with the one that was meant', () => {
    expect(
      wrongNames({ STOER: 'x', STORE: 'x', HOME: 'x', MONGODB_URL_FILE: 'x' }, table, false),
    ).to.deep.equal([
      'STOER is no variable of the service, and STORE is: correct the name, or remove it',
      'HOME is no variable of the service: correct the name, or remove it',
    ])
  })
})

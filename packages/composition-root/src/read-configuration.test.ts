import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import { configurationTable, type Variable } from './configuration-table.js'
import { readConfiguration } from './read-configuration.js'

type Environment = Readonly<Record<string, string>>

const files: Environment = { '/run/secret': 'a-secret-in-a-file\n' }

const read = (environment: Environment) =>
  readConfiguration(environment, (path) => {
    const found = files[path]
    if (found === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`)
    return found
  })

const valuesOf = (environment: Environment) => {
  const result = read(environment)
  if (E.isLeft(result)) throw new Error(result.left.join('\n'))
  return result.right
}

const messagesOf = (environment: Environment): readonly string[] => {
  const result = read(environment)
  return E.isLeft(result) ? result.left : []
}

const table = Object.entries<Variable<unknown>>(configurationTable)

describe('readConfiguration', () => {
  it('needs no variable at all', () => {
    expect(valuesOf({})).to.deep.include({
      HOST: '127.0.0.1',
      PORT: 8080,
      BASE_URL: null,
      TRUST_PROXY: false,
      DATA_DIR: './data',
      STORE: 'sqlite',
      BLOBS: 'filesystem',
      IMAGING: 'jimp',
      BOOTSTRAP_API_KEY: null,
      BOOTSTRAP_API_SECRET: null,
      LOG_LEVEL: 'info',
      JSON_LIMIT: 5 * 1024 * 1024,
    })
  })

  for (const [name, { fallback, secret }] of table) {
    it(`${name}: accepts its default as text`, () => {
      if (fallback !== null) expect(valuesOf({ [name]: fallback })).to.deep.equal(valuesOf({}))
    })

    it(`${name}: a wrong value is named with what it has to be${secret ? ', never shown' : ''}`, () => {
      const [message, ...others] = messagesOf({ [name]: 'not\0this' })
      expect(others).to.deep.equal([])
      expect(message).to.match(new RegExp(`^${name} must be .{4,}; (?:«not\0this»|its value) is not$`))
      expect(message?.includes('not\0this')).to.equal(secret !== true)
    })
  }

  it('reports all problems at once', () => {
    const all = Object.fromEntries(table.map(([name]) => [name, 'not\0this']))
    expect(messagesOf(all).map((message) => message.split(' ', 1)[0])).to.deep.equal(Object.keys(all))
  })

  it('distinguishes an empty value from an invalid one, and accepts it if empty means none', () => {
    expect(messagesOf({ PORT: '' })).to.deep.equal([
      'PORT must be a whole number from 0 to 65535; it is set, but empty: unset it to have its default',
    ])
    expect(valuesOf({ BASE_URL: '', CORS_ORIGINS: '', BOOTSTRAP_API_KEY: '' })).to.deep.equal(valuesOf({}))
  })

  it('cuts long values short in its messages', () => {
    const [message] = messagesOf({ STREAMING_HOSTS: 'x'.repeat(1000) })
    expect(message).to.have.length.below(200)
  })

  it('reads a secret from a file, without the line break at its end', () => {
    const { BOOTSTRAP_API_SECRET } = valuesOf({ BOOTSTRAP_API_SECRET_FILE: '/run/secret' })
    expect(BOOTSTRAP_API_SECRET).to.equal('a-secret-in-a-file')
  })

  it('rejects a secret that is set twice, and a file that cannot be read', () => {
    expect(
      messagesOf({ BOOTSTRAP_API_KEY: 'a', BOOTSTRAP_API_KEY_FILE: '/run/secret', PORT: 'x' }),
    ).to.deep.equal([
      'PORT must be a whole number from 0 to 65535; «x» is not',
      'BOOTSTRAP_API_KEY and BOOTSTRAP_API_KEY_FILE are both set: unset one of them',
    ])
    expect(messagesOf({ BOOTSTRAP_API_SECRET_FILE: '/nowhere' })[0]).to.match(
      /^BOOTSTRAP_API_SECRET_FILE names a file that can’t be read: .*\/nowhere/,
    )
  })

  const provider = {
    BASE_URL: 'https://cms.example.org',
    OIDC_ISSUER: 'https://id.example.org/realms/news',
    OIDC_CLIENT_ID: 'cms',
    OIDC_CLIENT_SECRET: 'a secret',
  }

  it('reads a provider with its roles, and mail', () => {
    const mail = {
      SMTP_URL: 'smtps://cms%40example.org:p%40ss@mail.example.org:465',
      MAIL_FROM: 'cms@example.org',
    }
    const values = valuesOf({ ...provider, ...mail, OIDC_ROLES: 'groups:editors=1/editor' })
    expect(values).to.deep.include({
      ...provider,
      ...mail,
      OIDC_SCOPES: 'openid profile email',
      OIDC_BUTTON: null,
      OIDC_ROLES: [{ claim: ['groups'], value: 'editors', grants: { instance: 1, role: 'editor' } }],
      OIDC_UNKNOWN: 'refuse',
    })
  })

  for (const [name, needed] of [
    ['SMTP_URL', ['MAIL_FROM', 'BASE_URL']],
    ['MAIL_FROM', ['SMTP_URL']],
    ['OIDC_ISSUER', ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'BASE_URL']],
    ['OIDC_CLIENT_ID', ['OIDC_ISSUER']],
    ['OIDC_CLIENT_SECRET', ['OIDC_ISSUER']],
    ['OIDC_BUTTON', ['OIDC_ISSUER']],
  ] as const)
    it(`${name} needs ${needed.join(' and ')}`, () => {
      const value = { ...provider, SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@b.org', OIDC_BUTTON: 'x' }[
        name
      ]
      expect(messagesOf({ [name]: value })).to.deep.equal(
        needed.map((each) => `${each} must be set where ${name} is`),
      )
    })

  it('accepts only values that can work for mail and a provider', () => {
    const rejected = {
      SMTP_URL: [
        'mail.example.org',
        'http://mail.example.org',
        'smtp://us er:x@mail',
        'smtp://user@mail',
        'smtp://a:b@c?x=1',
      ],
      MAIL_FROM: ['cms', 'a@b, c@d', 'Name <a@b>, x', 'a@b\r\nBcc: c@d', 'Name <a@b', 'a b@c'],
      OIDC_ISSUER: [
        'http://id.example.org',
        'https://id.example.org?x',
        'id.example.org',
        'http://localhost.example.org',
      ],
      OIDC_SCOPES: ['profile email', 'openid  email', 'notopenid'],
      OIDC_ROLES: ['groups:editors'],
      OIDC_UNKNOWN: ['accept'],
    }
    for (const [name, values] of Object.entries(rejected))
      for (const value of values)
        expect(messagesOf({ [name]: value }), `${name} ${value}`)
          .to.have.lengthOf(1)
          .and.satisfy(([message]: readonly string[]) => message?.startsWith(`${name} must be `))
    const accepted = {
      SMTP_URL: ['smtp://localhost', 'smtp://[::1]:25', 'smtps://u:p@mail.example.org/'],
      MAIL_FROM: ['Die tägliche Zeitung <cms@example.org>', 'cms@localhost'],
      OIDC_ISSUER: [
        'http://localhost:8180/realms/news',
        'http://127.0.0.1:4000',
        'https://id.example.org:8443/',
      ],
    }
    for (const [name, values] of Object.entries(accepted))
      for (const value of values)
        expect(messagesOf({ [name]: value }).join(), value).to.not.contain(`${name} must be `)
  })

  it('HOST accepts names, addresses, and paths of sockets that a system allows', () => {
    const longest = `/${'x'.repeat(102)}`
    for (const host of ['localhost', '0.0.0.0', '::1', '/run/publishing-service/8080.sock', longest])
      expect(valuesOf({ HOST: host }).HOST).to.equal(host)
    for (const host of ['not a host', './service.sock', '/', '/run/', "/run/it's", `${longest}x`])
      expect(messagesOf({ HOST: host }).join(), host).to.match(/^HOST must be a host name or address, /)
  })

  for (const address of [
    'https://api.example.org',
    'http://127.0.0.1:8080',
    'https://example.org/publishing',
  ])
    it(`BASE_URL accepts ${address}`, () => {
      expect(valuesOf({ BASE_URL: address }).BASE_URL).to.equal(address)
    })

  for (const address of [
    'example.org',
    'ftp://example.org',
    'https://example.org/',
    'http://[',
    'https://a?b',
    'https://',
  ])
    it(`BASE_URL rejects ${address}`, () => {
      expect(messagesOf({ BASE_URL: address })[0]).to.match(/^BASE_URL must be an address such as/)
    })
})

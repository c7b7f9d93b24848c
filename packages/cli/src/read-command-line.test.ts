import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E } from '@publishing-service/domain/fp'
import { roles } from '@publishing-service/domain/roles'
import { exitCodes } from '@publishing-service/composition-root'
import { commandSummaries, readCommandLine } from './read-command-line.js'

type Reading = { readonly result: ReturnType<typeof readCommandLine>; readonly printed: string }

/** Reads arguments, and records the output. */
const reading = (...args: readonly string[]): Reading => {
  const streams = [process.stdout, process.stderr].map((stream) => ({
    stream,
    own: stream.write.bind(stream),
  }))
  let printed = ''
  for (const { stream } of streams)
    stream.write = (text: string | Uint8Array): boolean => {
      printed += String(text)
      return true
    }
  try {
    return { result: readCommandLine(args), printed }
  } finally {
    for (const { stream, own } of streams) stream.write = own
  }
}

const help = (...args: readonly string[]): string => {
  const { result, printed } = reading(...args, '--help')
  expect(result).to.deep.equal(E.left(exitCodes.done))
  return printed
}

const user = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

describe('readCommandLine', () => {
  it('--help lists the commands and every exit code', () => {
    const text = help()
    expect(text).to.match(/instance .*Create, list, change and delete/)
    expect(text).to.match(/key .*Create, list and revoke/)
    expect(text).to.match(/user .*Create and list API users/)
    for (const code of Object.values(exitCodes)) expect(text).to.match(new RegExp(`^ {2}${code} `, 'm'))
    expect(text).to.include('DATA_DIR')
    expect(commandSummaries().map(({ name }) => name)).to.include.members([
      'user revoke-role',
      'storage copy',
    ])
    for (const { name, summary } of commandSummaries()) {
      expect(summary, name).to.not.equal('')
      expect(text).to.match(new RegExp(`^ {2}${name} +${summary}$`, 'm'))
    }
  })

  for (const [command, options] of [
    ['instance create', ['--title', '--timezone', '--language', '--directory-addon', '--website', '--json']],
    ['instance list', ['--json']],
    [
      'instance set',
      [
        '<instance>',
        '--title',
        '--timezone',
        '--language',
        '--no-directory-addon',
        '--no-public-downloads',
        '--website',
        '--no-website',
        '--json',
      ],
    ],
    ['instance delete', ['<instance>', '--title', '--json']],
    ['user create', ['--name', '--json']],
    ['user list', ['--json']],
    ['user grant', ['<user>', '--instance', '--role', '--json', ...roles]],
    ['user revoke-role', ['<user>', '--instance', '--role', '--yes', '--json', ...roles]],
    ['key create', ['--user', '--instance', '--role', '--name', '--json', ...roles]],
    ['key list', ['--json']],
    ['key revoke', ['<api-key>', '--yes', '--json']],
    ['storage copy', ['--from <file>', '--to <file>', '--json']],
    ['storage export', ['<folder>', '--json']],
    ['storage import', ['<folder>', '--json']],
  ] as const)
    it(`${command} --help lists its options, with an example that is valid`, () => {
      const text = help(...command.split(' '))
      for (const option of options) expect(text).to.include(option)
      const examples = [...text.matchAll(/^ {2}npm run --silent admin -- (.*)$/gm)].map(([, line = '']) =>
        [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word),
      )
      expect(examples).to.not.deep.equal([])
      for (const example of examples)
        expect(E.isRight(reading(...example).result), example.join(' ')).to.equal(true)
    })

  it('accepts a key that starts with a hyphen at any position', () => {
    for (const args of [
      ['key', 'revoke', '-afzFMEzK_1MV8yxCtF1'],
      ['key', 'revoke', '-afzFMEzK_1MV8yxCtF1', '--json'],
      ['key', 'revoke', '--json', '-afzFMEzK_1MV8yxCtF1'],
      ['key', 'revoke', '--json', '--', '-short'],
    ])
      expect(E.isRight(reading(...args).result), args.join(' ')).to.equal(true)
  })

  it('--version prints the version', () => {
    const { result, printed } = reading('--version')
    expect(result).to.deep.equal(E.left(exitCodes.done))
    expect(printed).to.match(/^\d+\.\d+\.\d+(?:-dev)?\n$/)
  })

  it('--create is off unless it is given, before or after the command', () => {
    for (const [args, create] of [
      [['key', 'list'], false],
      [['--create', 'key', 'list'], true],
      [['key', 'list', '--create'], true],
    ] as const) {
      const { result } = reading(...args)
      expect(E.isRight(result) && result.right.create, args.join(' ')).to.equal(create)
    }
  })

  it('rejects every duplicate option of every command', () => {
    const values: Readonly<Record<string, string>> = { '<number>': '1', '<role>': 'admin' }
    for (const command of [
      'instance create',
      'instance list',
      'key create',
      'key list',
      'key revoke',
      'storage copy',
      'storage verify',
      'storage orphans',
    ]) {
      const options = [...help(...command.split(' ')).matchAll(/^ {2}(--[\w-]+)(?: (<\w+>))?/gm)].filter(
        ([, option]) => option !== '--version',
      )
      expect(options.length, command).to.be.above(1)
      for (const [, option = '', kind] of options) {
        const once = kind === undefined ? [option] : [option, values[kind] ?? 'x']
        const { result, printed } = reading(...command.split(' '), ...once, ...once)
        expect(result, `${command} ${option}`).to.deep.equal(E.left(exitCodes.usage))
        expect(printed).to.match(new RegExp(`^error: option '${option}\\b.*' is given more than once$`, 'm'))
      }
    }
  })

  for (const [args, words] of [
    [[], /Usage:/],
    [['key'], /Usage:/],
    [['keys', 'list'], /unknown command 'keys'/],
    [
      ['key', 'create', '--role', 'admin'],
      /the key needs a user: add --user, --operator, or --instance and --role/,
    ],
    [
      ['key', 'create', '--user', 'u', '--role', 'admin'],
      /'--user <user>' cannot be used with option '--role/,
    ],
    [['instance', 'set', '1'], /no setting to change/],
    [['instance', 'set', 'one', '--title', 'T'], /It must be the number of an instance, such as 1\./],
    [['instance', 'delete'], /missing required argument 'instance'/],
    [['user', 'grant', 'u', '--operator'], /It must be the UUID of a user\./],
    [['user', 'grant', user, '--instance', '1'], /add --instance and --role, or --operator/],
    [['user', 'revoke-role', user, '--role', 'admin'], /add --instance, or --operator/],
    [
      ['key', 'create', '--instance', '0', '--role', 'admin'],
      /It must be the number of an instance, such as 1\./,
    ],
    [
      ['key', 'create', '--instance', '1', '--role', 'Admin'],
      /public_user, reader, contributor, editor, admin/,
    ],
    [['key', 'list', '--instance', '1'], /unknown option '--instance'/],
    [['key', 'revoke'], /missing required argument 'api-key'/],
    [['instance', 'create', '--timezone', 'UTC'], /'--title <title>' not specified/],
    [['instance', 'list', 'all'], /too many arguments/],
    [['storage'], /Usage:/],
    [['storage', 'copy'], /a copy needs --from, --to, or both/],
    [['storage', 'copy', '--to'], /'--to <file>' argument missing/],
  ] as const)
    it(`2 for «${args.join(' ')}»`, () => {
      const { result, printed } = reading(...args)
      expect(result).to.deep.equal(E.left(exitCodes.usage))
      expect(printed).to.match(words)
    })
})

import { expect } from 'chai'
import { describe, it } from 'mocha'
import { E, roles } from '@publishing-service/domain'
import { exitCodes } from '../exit-codes.js'
import { readCommandLine } from './read-command-line.js'

type Reading = { readonly result: ReturnType<typeof readCommandLine>; readonly printed: string }

/** Reads arguments, and keeps what is written meanwhile. */
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

describe('readCommandLine', () => {
  it('--help tells the commands and every exit code', () => {
    const text = help()
    expect(text).to.match(/instance .*Create and list/)
    expect(text).to.match(/key .*Create, list and revoke/)
    for (const code of Object.values(exitCodes)) expect(text).to.match(new RegExp(`^ {2}${code} `, 'm'))
    expect(text).to.include('DATA_DIR')
  })

  for (const [command, options] of [
    ['instance create', ['--title', '--timezone', '--language', '--directory-addon', '--website', '--json']],
    ['instance list', ['--json']],
    ['key create', ['--instance', '--role', '--name', '--json', ...roles]],
    ['key list', ['--json']],
    ['key revoke', ['<api-key>', '--json']],
    ['storage copy', ['--from <file>', '--to <file>', '--json']],
  ] as const)
    it(`${command} --help tells its options, with an example that it takes itself`, () => {
      const text = help(...command.split(' '))
      for (const option of options) expect(text).to.include(option)
      const examples = [...text.matchAll(/^ {2}npm run --silent admin -- (.*)$/gm)].map(([, line = '']) =>
        [...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word),
      )
      expect(examples).to.not.deep.equal([])
      for (const example of examples)
        expect(E.isRight(reading(...example).result), example.join(' ')).to.equal(true)
    })

  it('takes a key that starts with a hyphen, wherever it stands', () => {
    for (const args of [
      ['key', 'revoke', '-afzFMEzK_1MV8yxCtF1'],
      ['key', 'revoke', '-afzFMEzK_1MV8yxCtF1', '--json'],
      ['key', 'revoke', '--json', '-afzFMEzK_1MV8yxCtF1'],
      ['key', 'revoke', '--json', '--', '-short'],
    ])
      expect(E.isRight(reading(...args).result), args.join(' ')).to.equal(true)
  })

  for (const [args, words] of [
    [[], /Usage:/],
    [['key'], /Usage:/],
    [['keys', 'list'], /unknown command 'keys'/],
    [['key', 'create', '--role', 'admin'], /'--instance <number>' not specified/],
    [['key', 'create', '--instance', '0', '--role', 'admin'], /It is the number of an instance, such as 1\./],
    [['key', 'create', '--instance', '1', '--role', 'Admin'], /public_user, reader, editor, admin/],
    [['key', 'list', '--instance', '1'], /unknown option '--instance'/],
    [['key', 'revoke'], /missing required argument 'api-key'/],
    [['instance', 'create', '--timezone', 'UTC'], /'--title <title>' not specified/],
    [['instance', 'list', 'all'], /too many arguments/],
    [['storage'], /Usage:/],
    [['storage', 'copy'], /neither side is given: name a file with --from, --to, or both/],
    [['storage', 'copy', '--to'], /'--to <file>' argument missing/],
  ] as const)
    it(`2 for «${args.join(' ')}»`, () => {
      const { result, printed } = reading(...args)
      expect(result).to.deep.equal(E.left(exitCodes.usage))
      expect(printed).to.match(words)
    })
})

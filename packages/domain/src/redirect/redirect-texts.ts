import { fault } from '../fault.js'
import { E, pipe } from '../fp.js'
import { utf8Length } from '../json.js'
import { textOf } from '../value/text.js'
import type { ValueType } from '../value/value-type.js'

/** Maximum length in bytes: stores limit the length of keys. */
const maxLength = 1000

const withinBytes = (type: ValueType<string>): ValueType<string> => ({
  ...type,
  decode: (value, context) =>
    pipe(
      type.decode(value, context),
      E.filterOrElseW(
        (text) => utf8Length(text) <= maxLength,
        () => [fault('', 'length', `must have at most ${maxLength} bytes in UTF-8`)],
      ),
    ),
})

const patternOf = (pattern: string) => {
  const expression = new RegExp(pattern)
  return (text: string): string | null => (expression.test(text) ? text : null)
}

// Single asterisks match themselves. The parts are unambiguous, which prevents exponential backtracking.
const patternPattern = '^/([^\\s*/\\\\][^\\s*]*)?(\\*[^\\s*]+)*(\\*|\\*\\*([^\\s*]+\\*)*[^\\s*]*)?$'

/** A path that contains `**` at most once. */
export const redirectPattern = withinBytes(
  textOf(
    { format: 'redirect-pattern', pattern: patternPattern, minLength: 1, maxLength },
    'a path that starts with /, contains ** at most once and no white space, and is not //…',
    patternOf(patternPattern),
  ),
)

const part = '([^\\s<>"\\\\]|\\\\1)'
const start = '([^\\s<>"\\\\/]|\\\\1)'
const templatePattern = `^([Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#<>"\\\\]+([/?#]${part}*)?|/(${start}${part}*)?)$`

/** An absolute web address or a path, with `\1` anywhere after the host. */
export const redirectTemplate = withinBytes(
  textOf(
    { format: 'redirect-template', pattern: templatePattern, minLength: 1, maxLength },
    'a web address such as https://www.example.org/page, or a path that starts with one /; \\1 may occur after the host',
    patternOf(templatePattern),
  ),
)

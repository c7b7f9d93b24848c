import { fault, type Fault } from '@publishing-service/domain'
import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser'

const strict = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false }

// The library's codes are names such as PropertyNameExpected.
const spoken = (code: ParseErrorCode): string =>
  printParseErrorCode(code)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()

/** Where and why a text is not JSON: `line 3, column 7: comma expected`. */
export const findSyntaxError = (text: string): string => {
  if (text.trim() === '') return 'the body is empty; a JSON object is expected'
  let found: string | null = null
  visit(
    text,
    {
      onError: (code, _offset, _length, line, column) => {
        found ??= `line ${line + 1}, column ${column + 1}: ${spoken(code)}`
      },
    },
    strict,
  )
  return `the body is not JSON; ${found ?? 'it has a number or an escape that JSON does not allow'}`
}

/** A fault for each duplicate key in an object, with its path. */
export const findDuplicateKeys = (text: string): readonly Fault[] => {
  const faults: Fault[] = []
  const open: Set<string>[] = []
  visit(
    text,
    {
      onObjectBegin: () => void open.push(new Set()),
      onObjectEnd: () => void open.pop(),
      onObjectProperty: (name, _offset, _length, line, column, path) => {
        const seen = open.at(-1)
        if (seen?.has(name))
          faults.push(
            fault(
              [...path(), name].join('.'),
              'repeated',
              `is a duplicate key, repeated at line ${line + 1}, column ${column + 1}`,
            ),
          )
        seen?.add(name)
      },
    },
    strict,
  )
  return faults
}

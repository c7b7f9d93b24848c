import { linkFault, parsedAddress } from '@publishing-service/domain/markup'

const schemed = /^[a-z][a-z0-9+.-]*:/i

/** The address of a link as a body has it, or null if there is none. Relative ones are those that `base` leads to. */
export const readAddress = (written: string, base: string | null): string | null => {
  // Browsers ignore these.
  const plain = written.trim().replaceAll(/[\t\r\n]/g, '')
  const whole = plain.startsWith('//') ? `${schemed.exec(base ?? '')?.[0] ?? 'https:'}${plain}` : plain
  const isRelative = base !== null && !schemed.test(whole) && !whole.startsWith('#') && whole !== ''
  const absolute = isRelative ? (parsedAddress(whole, base)?.href ?? whole) : whole
  const address = absolute.replaceAll(/[\s\\]/g, (each: string) =>
    each === '\\' ? '%5C' : encodeURIComponent(each),
  )
  return linkFault(address) === null ? address : null
}

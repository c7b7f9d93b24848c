const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))

/**
 * What limits per client address count by: an IPv4 address itself, and of an IPv6 address the /64 network, since one
 * client has all addresses of such a network. An IPv4 address that is written as IPv6 is the IPv4 address.
 */
export const clientAddress = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!address.includes(':')) return address
  const [before = '', after] = address.split('%', 1).join('').toLowerCase().split('::')
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')]
  const zeros = Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0')
  const network = [...first, ...(after === undefined ? [] : zeros), ...last].slice(0, 4)
  return `${network.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}

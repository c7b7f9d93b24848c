/** Limits of requests in a window of time, for API users and addresses. */

const groupsOf = (text: string): readonly string[] => (text === '' ? [] : text.split(':'))

/**
 * What limits count as one client: an IPv4 address, or the /64 network of an IPv6 address, because a
 * client usually has a whole /64 network. An IPv4-mapped IPv6 address is the IPv4 address.
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

/** The networks of an address that failures are counted for. */
export const networkPolicies = ['failures_of_address', 'failures_of_household', 'failures_of_site'] as const
export type NetworkPolicy = (typeof networkPolicies)[number]

/** A value for each of them. */
export const forEachNetwork = <A>(
  valueOf: (policy: NetworkPolicy) => A,
): Readonly<Record<NetworkPolicy, A>> => ({
  failures_of_address: valueOf('failures_of_address'),
  failures_of_household: valueOf('failures_of_household'),
  failures_of_site: valueOf('failures_of_site'),
})

/** A network by what is counted for it. */
export type ClientNetwork = { readonly policy: NetworkPolicy; readonly name: string }

const clientSuffix = '::/64'

/**
 * The networks of a client address, the smallest first: an IPv4 address alone, or the /64, /56 and /48 networks of an IPv6
 * address, because providers give a household or a site one of the larger ones, and it sends from each /64 network in it.
 */
export const clientNetworks = (address: string): readonly ClientNetwork[] => {
  const client = clientAddress(address)
  const smallest = { policy: 'failures_of_address', name: client } as const
  if (!client.endsWith(clientSuffix)) return [smallest]
  const groups = client.slice(0, -clientSuffix.length).split(':')
  const site = groups.slice(0, 3).join(':')
  const household = (Number.parseInt(groups[3] ?? '', 16) & 0xff00).toString(16)
  return [
    smallest,
    { policy: 'failures_of_household', name: `${site}:${household}::/56` },
    { policy: 'failures_of_site', name: `${site}::/48` },
  ]
}

/** Length of a window in seconds. */
export const rateWindow = 60

/** Seconds between exchanges of counts with other processes. */
export const exchangeSeconds = 1

/**
 * What a request counts for: the API user of its valid token, with all of the user's keys, or its address. Requests without a token on an
 * instance, of which settings open some, such as images and feeds, count apart from others, so that they never bar a sign-in;
 * comments of visitors apart from these.
 */
export const ratePolicies = ['key', 'address', 'public', 'comments'] as const
export type RatePolicy = (typeof ratePolicies)[number]

/** The policies of requests without a token. */
export type AddressPolicy = Exclude<RatePolicy, 'key'>

/** Maximum number of requests in a window, for each client. */
export type RateLimits = Readonly<Record<RatePolicy, number>>

export const defaultRateLimits: RateLimits = { key: 6000, address: 600, public: 6000, comments: 10 }

/** Maximum number of clients that a process counts. They are separate, so that addresses never evict users. */
export const maxCountedClients: RateLimits = {
  key: 10_000,
  address: 50_000,
  public: 50_000,
  comments: 50_000,
}

/** A value for each policy. */
export const forEachPolicy = <A>(valueOf: (policy: RatePolicy) => A): Readonly<Record<RatePolicy, A>> => ({
  key: valueOf('key'),
  address: valueOf('address'),
  public: valueOf('public'),
  comments: valueOf('comments'),
})

/** A client's use of a limit that several processes share, as one of them knows it. */
export type SharedUse = {
  /** Requests that this process has counted in its window and published to the others. */
  readonly published: number
  /** Requests that the other processes have counted in their windows. */
  readonly others: number
  /** Number of processes that share the limit, including this one. */
  readonly processes: number
}

/**
 * Maximum number of requests that a process may count in its window before the next exchange of counts. The rest of the
 * limit is divided by the number of processes, so that a client of several processes cannot use the limit of each.
 */
export const rateCeiling = (limit: number, { published, others, processes }: SharedUse): number =>
  published + Math.ceil(Math.max(0, limit - published - others) / processes)

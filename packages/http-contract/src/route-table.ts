import type { Endpoint, Method } from './endpoint.js'

/** The endpoints of a path by method, and the values of its parameters. */
export type Route = {
  readonly endpoints: ReadonlyMap<Method, Endpoint>
  readonly parameters: Readonly<Record<string, string>>
}

type Node = {
  readonly literals: Map<string, Node>
  /** By the text that follows the value in the segment, such as `.atom`; mostly empty. */
  readonly parameters: Map<string, Node>
  readonly endpoints: Map<Method, { readonly endpoint: Endpoint; readonly names: readonly string[] }>
}

const emptyNode = (): Node => ({ literals: new Map(), parameters: new Map(), endpoints: new Map() })

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1)
/** A segment that is a parameter, with the text that follows it. */
const parameterIn = (segment: string): { readonly name: string; readonly suffix: string } | null => {
  const [, name, suffix] = /^\{(\w+)\}(.*)$/.exec(segment) ?? []
  return name === undefined || suffix === undefined ? null : { name, suffix }
}

/** The node of a name, added if there is none. */
const childOf = (nodes: Map<string, Node>, name: string): Node => {
  const found = nodes.get(name) ?? emptyNode()
  nodes.set(name, found)
  return found
}

const insert = (root: Node, endpoint: Endpoint): void => {
  let node = root
  const names: string[] = []
  for (const segment of segmentsOf(endpoint.path)) {
    const parameter = parameterIn(segment)
    if (parameter === null) node = childOf(node.literals, segment)
    else {
      names.push(parameter.name)
      node = childOf(node.parameters, parameter.suffix)
    }
  }
  if (node.endpoints.has(endpoint.method))
    throw new Error(`two endpoints for ${endpoint.method} ${endpoint.path}`)
  node.endpoints.set(endpoint.method, { endpoint, names })
}

/** Literals take precedence over parameters. Backtracks from a branch without endpoints. */
const find = (node: Node, segments: readonly string[], index: number, values: string[]): Node | null => {
  if (index === segments.length) return node.endpoints.size > 0 ? node : null
  const segment = segments[index] as string
  const literal = node.literals.get(segment)
  if (literal !== undefined) {
    const found = find(literal, segments, index + 1, values)
    if (found !== null) return found
  }
  for (const [suffix, next] of node.parameters) {
    if (segment.length <= suffix.length || !segment.endsWith(suffix)) continue
    values.push(segment.slice(0, segment.length - suffix.length))
    const found = find(next, segments, index + 1, values)
    if (found !== null) return found
    values.pop()
  }
  return null
}

/** A segment that cannot be decoded stays unchanged and is handled like any malformed parameter. */
const decode = (segment: string): string => {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}

/** Finds the endpoints of a path. The time depends on the length of the path, not on the number of endpoints. */
export const createRouteTable = (endpoints: readonly Endpoint[]): ((path: string) => Route | null) => {
  const root = emptyNode()
  endpoints.forEach((endpoint) => insert(root, endpoint))
  return (path) => {
    const trimmed = path.length > 2 && path.endsWith('/') ? path.slice(0, -1) : path
    const values: string[] = []
    const node = find(root, segmentsOf(trimmed), 0, values)
    if (node === null) return null
    const parameters: Record<string, string> = {}
    const byMethod = new Map<Method, Endpoint>()
    for (const [method, { endpoint, names }] of node.endpoints) {
      byMethod.set(method, endpoint)
      for (const [index, name] of names.entries()) parameters[name] = decode(values[index] ?? '')
    }
    return { endpoints: byMethod, parameters }
  }
}

import { readFileSync } from 'node:fs'
import { isJsonObject } from '@publishing-service/domain/json'

/** The releases of Node that the service runs on, as its package names them: `^20.19.0 || ^22.12.0`. */
export const supportedNode = (): string => {
  const read: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const engines = isJsonObject(read) ? read['engines'] : null
  return isJsonObject(engines) ? String(engines['node']) : ''
}

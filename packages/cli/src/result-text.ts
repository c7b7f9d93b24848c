/** Parts of output and help texts that several commands share. */
import type { InstanceRoles } from '@publishing-service/access'

/** The command line of the admin command, for help texts and next steps. */
export const programName = 'npm run --silent admin --'

/** Rows of text in even columns: the head, then the rows; each line ends with its last character. */
export const textTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [head, ...rows]
  const widths = head.map((_cell, column) => Math.max(...all.map((row) => [...(row[column] ?? '')].length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** The roles of an API user. */
export const rolesText = (held: readonly InstanceRoles[]): string =>
  held.map(({ instance, roles }) => `${instance}: ${roles.join(', ')}`).join('; ')

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'] as const

/** 1.23 GB */
export const bytesInWords = (bytes: number): string => {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${number.format(bytes / 1000 ** power)} ${units[power]}`
}

/** 1.2 s, 34 s, 4 min 5 s, 1 h 2 min */
export const durationInWords = (seconds: number): string => {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const rounded = Math.round(seconds)
  if (rounded < 3600) return `${Math.floor(rounded / 60)} min ${rounded % 60} s`
  return `${Math.floor(rounded / 3600)} h ${Math.floor((rounded % 3600) / 60)} min`
}

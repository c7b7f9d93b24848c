import { similarWords } from '@publishing-service/composition-root'

const cityOf = (zone: string): string =>
  zone
    .slice(zone.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/** Time zones whose city is spelled like that of an unknown name, five at most, nearest first. */
export const similarTimeZones = (wanted: string): readonly string[] =>
  similarWords(wanted, Intl.supportedValuesOf('timeZone'), cityOf).slice(0, 5)

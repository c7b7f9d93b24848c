/** Imports a source into an instance, with progress and a report. */
import {
  runImport,
  type ImportOptions,
  type ImportTrial,
  type UseCases,
} from '@publishing-service/application'
import { asCommandLine } from '@publishing-service/composition-root'
import type { ImportSource } from '@publishing-service/domain/imports'
import { openReport } from '../open-report.js'
import { withProgress } from '../progress-display.js'
import { ImportSummary, reportLine } from './import-report.js'

export type ImportTask = {
  readonly instance: number
  readonly source: ImportSource
  readonly options: ImportOptions
  /** The path of the report; null for none. */
  readonly report: string | null
  /** Whether the report has objects that remain as they are. */
  readonly reportsAll?: boolean
}

export type ImportEnd = readonly [summary: ImportSummary, seconds: number]

/** Imports a source with the sessions of the service, or of a trial. */
const importWith = async (
  { sessions, afterRecord }: Omit<ImportTrial, 'close'>,
  { instance, source, options, report: path, reportsAll = false }: ImportTask,
): Promise<ImportEnd> => {
  const run = asCommandLine({ sessions }, instance)
  const report = await openReport(path)
  const summary = new ImportSummary()
  try {
    return await withProgress(async ({ update }) => {
      let done = 0
      for await (const record of runImport(run, source, options)) {
        summary.add(record)
        if (record.outcome !== 'completed') done += 1
        update({ step: 'import objects', done, total: source.total })
        if (reportsAll || record.outcome !== 'present' || record.notes.length > 0)
          await report.write(JSON.stringify(reportLine(record)))
        await afterRecord()
      }
      return summary
    })
  } finally {
    await report.close()
  }
}

/** Imports a source, and returns what became of it with the seconds that it took. */
export const importInto = ({ sessions }: UseCases, task: ImportTask): Promise<ImportEnd> =>
  importWith({ sessions, afterRecord: async () => undefined }, task)

/** Finds what would become of a source. */
export const tryImport = async (
  openTrial: () => Promise<ImportTrial>,
  task: ImportTask,
): Promise<ImportEnd> => {
  const trial = await openTrial()
  try {
    return await importWith(trial, task)
  } finally {
    await trial.close()
  }
}

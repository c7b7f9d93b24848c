/**
 * How far a copy or a verification is: on a terminal one line that is redrawn, elsewhere an occasional line.
 * It is written to the standard error, so that the standard output contains only the result.
 */
import type { CopyProgress, VerifyProgress } from '@publishing-service/application'
import { counted } from '@publishing-service/composition-root'
import { bytesInWords, durationInWords } from './result-text.js'

type ObjectProgress = {
  readonly step: 'import objects' | 'take back objects'
  readonly done: number
  readonly total: number
}

type Progress = CopyProgress | VerifyProgress | ObjectProgress
type Step = Progress['step']

export type ProgressDisplay = {
  readonly update: (progress: Progress) => void
  /** Ends the line of the last step and prints a message below it. */
  readonly printLine: (line: string) => void
  /** Ends the last step's line. */
  readonly end: () => void
}

type Stream = { readonly isTTY?: boolean; readonly write: (text: string) => unknown }

const documents = (count: number): string => counted(count, 'document')
const fileData = (bytes: number): string => `${bytesInWords(bytes)} of file data`
const scaledImages = (bytes: number): string => `${bytesInWords(bytes)} of scaled images`

const steps: Readonly<
  Record<Step, readonly [doing: string, done: string, amount: (value: number) => string]>
> = {
  'check documents': ['Checking', 'Checked', documents],
  'check blobs': ['Checking', 'Checked', fileData],
  'copy documents': ['Copying', 'Copied', documents],
  'copy blobs': ['Copying', 'Copied', fileData],
  'compare documents': ['Comparing', 'Compared', documents],
  'compare blobs': ['Comparing', 'Compared', fileData],
  'record paths': ['Recording paths of', 'Recorded paths of', (count) => counted(count, 'object')],
  'import objects': ['Importing', 'Imported', (count) => counted(count, 'object')],
  'take back objects': ['Taking back', 'Took back', (count) => counted(count, 'object')],
  'verify file data': ['Verifying', 'Verified', fileData],
  'verify scaled images': ['Verifying', 'Verified', scaledImages],
}

const percent = (share: number): string => `${Math.floor(share * 100)} %`

/** `now` is in milliseconds, from any beginning. */
export const progressDisplay = (stream: Stream, now: () => number): ProgressDisplay => {
  const [begin, end, interval] = stream.isTTY === true ? ['\r\u001B[2K', '', 100] : ['', '\n', 10_000]
  let running: { readonly progress: Progress; readonly began: number; readonly shown: number } | null = null

  const show = (progress: Progress, began: number, shown: number): void => {
    const { step, done, total } = progress
    const [doing, , amount] = steps[step]
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const seconds = Math.round(((shown - began) * (1 / share - 1)) / 1000)
    const left = share === 0 || share === 1 ? '' : `, ${durationInWords(seconds)} left`
    stream.write(`${begin}${doing} ${amount(total)}: ${percent(share)}${left}${end}`)
    running = { progress, began, shown }
  }

  const finish = (): void => {
    if (running === null) return
    const { progress, began } = running
    const { step, done, total } = progress
    const [, did, amount] = steps[step]
    const share = done < total ? `${percent(done / total)} of ` : ''
    stream.write(`${begin}${did} ${share}${amount(total)} in ${durationInWords((now() - began) / 1000)}\n`)
    running = null
  }

  return {
    update: (progress) => {
      const at = now()
      if (running?.progress.step !== progress.step) {
        finish()
        show(progress, at, at)
      } else if (at - running.shown >= interval) show(progress, running.began, at)
      else running = { ...running, progress }
    },
    printLine: (line) => {
      finish()
      stream.write(`${line}\n`)
    },
    end: finish,
  }
}

/** The result of a task that shows its progress, and the seconds that it took. */
export const withProgress = async <A>(
  task: (display: ProgressDisplay) => Promise<A>,
): Promise<readonly [result: A, seconds: number]> => {
  const now = (): number => performance.now()
  const began = now()
  const display = progressDisplay(process.stderr, now)
  const result = await task(display).finally(display.end)
  return [result, Math.round(now() - began) / 1000]
}

/**
 * How far a copy, a verification or a rebuild is: on a terminal one line with a bar that is redrawn, elsewhere an occasional line. It is written to
 * the standard error, so that the standard output contains only the result.
 */
import type {
  CopyProgress,
  CopyStep,
  IndexingProgress,
  VerifyProgress,
  VerifyStep,
} from '@publishing-service/application'
import { counted, numberInWords } from '@publishing-service/composition-root'
import { bytesInWords, durationInWords } from './result-text.js'

type Step = CopyStep | VerifyStep | IndexingProgress['step']
type Progress = CopyProgress | VerifyProgress | IndexingProgress

export type ProgressDisplay = {
  readonly update: (progress: Progress) => void
  /** Ends the line of the last step and prints a message below it. */
  readonly printLine: (line: string) => void
  /** Ends the last step's line. */
  readonly end: () => void
}

type Stream = { readonly isTTY?: boolean; readonly write: (text: string) => unknown }

const stepNames: Readonly<Record<Step, readonly [doing: string, done: string]>> = {
  'copy documents': ['Copying', 'Copied'],
  'copy blobs': ['Copying', 'Copied'],
  'compare documents': ['Comparing', 'Compared'],
  'compare blobs': ['Comparing', 'Compared'],
  'verify file data': ['Verifying', 'Verified'],
  'verify scaled images': ['Verifying', 'Verified'],
  'index words': ['Indexing', 'Indexed'],
}

const isOfBytes = (step: Step): boolean =>
  step !== 'copy documents' && step !== 'compare documents' && step !== 'index words'

const amount = (step: Step, value: number): string => {
  if (!isOfBytes(step)) return counted(value, 'document')
  return `${bytesInWords(value)} of ${step === 'verify scaled images' ? 'scaled images' : 'file data'}`
}

/** How often a line is written, in milliseconds. */
const drawnEvery = 100
const writtenEvery = 10_000

const barWidth = 24

const bar = (share: number): string => {
  const full = Math.round(share * barWidth)
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
}

const eraseLine = '\r\u001B[2K'

type Running = { readonly progress: Progress; readonly began: number; readonly shown: number }

const speed = ({ step, done }: Progress, milliseconds: number): string => {
  const perSecond = Math.round(done / Math.max(0.001, milliseconds / 1000))
  return `${isOfBytes(step) ? bytesInWords(perSecond) : numberInWords(perSecond)} a second`
}

/** `now` is in milliseconds, from any beginning. */
export const progressDisplay = (stream: Stream, now: () => number): ProgressDisplay => {
  const terminal = stream.isTTY === true
  let running: Running | null = null

  const lineOf = ({ progress, began }: Running, at: number): string => {
    const { step, done, total } = progress
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const elapsed = at - began
    const left =
      share === 0 || share === 1
        ? ''
        : `, ${durationInWords(Math.round((elapsed / share - elapsed) / 1000))} left`
    const [doing] = stepNames[step]
    const percent = `${Math.floor(share * 100)} %`
    return terminal
      ? `${doing} ${amount(step, total)} ${bar(share)} ${percent}${left}`
      : `${doing} ${amount(step, total)}: ${percent}${left}`
  }

  const show = (current: Running, at: number): Running => {
    stream.write(terminal ? `${eraseLine}${lineOf(current, at)}` : `${lineOf(current, at)}\n`)
    return { ...current, shown: at }
  }

  const finish = (): void => {
    if (running === null) return
    const { progress, began } = running
    const { step, done, total } = progress
    const elapsed = now() - began
    const [, did] = stepNames[step]
    const share = done < total ? `${Math.floor((done / total) * 100)} % of ` : ''
    const took = `in ${durationInWords(elapsed / 1000)}, ${speed(progress, elapsed)}`
    stream.write(`${terminal ? eraseLine : ''}${did} ${share}${amount(step, total)} ${took}\n`)
    running = null
  }

  return {
    update: (progress) => {
      const at = now()
      if (running?.progress.step === progress.step) {
        running = { ...running, progress }
        if (at - running.shown >= (terminal ? drawnEvery : writtenEvery)) running = show(running, at)
        return
      }
      finish()
      running = show({ progress, began: at, shown: at }, at)
    },
    printLine: (line) => {
      finish()
      stream.write(`${line}\n`)
    },
    end: finish,
  }
}

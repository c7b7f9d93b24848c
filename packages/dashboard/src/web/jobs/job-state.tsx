/** What the pages of imports and exports have in common, which the service runs by itself. */
import { Badge, Progress, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { components } from '@publishing-service/client'
import { model } from 'virtual:model'
import { timeLeft } from '../../jobs/time-left.js'
import { announce } from '../layout/announcer.js'
import { useTexts } from '../texts/texts.js'

type Job = components['schemas']['Import'] | components['schemas']['Export']

/** Milliseconds between two reads of a job that waits or runs. */
export const refreshEvery = 1500

/** Whether a job waits or runs. */
export const isOpen = ({ state }: Pick<Job, 'state'>): boolean => model.openJobStates.includes(state)

const colors: Readonly<Record<Job['state'], string>> = {
  waiting: 'gray',
  running: 'blue',
  finished: 'green',
  failed: 'red',
  canceled: 'gray',
}

/** The state of a job, which is announced with its name when it changes. */
export const JobState = ({ name, state }: Pick<Job, 'state'> & { readonly name: string }) => {
  const { jobs } = useTexts()
  const sentence = jobs.stateOf({ name, state: jobs.states[state] })
  const former = useRef(state)
  useEffect(() => {
    if (former.current !== state) announce(sentence)
    former.current = state
  }, [state, sentence])
  return (
    <Badge color={colors[state]} variant="light">
      {jobs.states[state]}
    </Badge>
  )
}

export type Progressing = Pick<Job, 'state' | 'done' | 'total' | 'seconds_left'>

type ProgressProps = {
  readonly of: Progressing
  /** What is done before it is known how much there is to do. */
  readonly begins: string
  /** How much is done. */
  readonly doneOf: (done: number, total: number) => string
}

/** How far a job is that runs. */
export const JobProgress = ({ of, begins, doneOf }: ProgressProps) => {
  const { jobs, locale } = useTexts()
  const { state, done, total, seconds_left: seconds } = of
  if (state !== 'running') return null
  if (total === null) return <Text size="sm">{begins}</Text>
  const left = seconds === null ? '' : ` · ${jobs.left({ time: timeLeft(locale, seconds) })}`
  return (
    <Stack gap={4}>
      <Progress value={total === 0 ? 100 : (done / total) * 100} aria-label={jobs.progress} />
      <Text size="sm">
        {doneOf(done, total)}
        {left}
      </Text>
    </Stack>
  )
}

import { Badge, Group, Text } from '@mantine/core'
import type { components } from '@publishing-service/client'
import { model } from 'virtual:model'
import { JobProgress, JobState, type Progressing } from '../jobs/job-state.js'
import { useTexts, wordOf } from '../texts/texts.js'

export type Import = components['schemas']['Import']

/** The state of an import, and whether it is a dry run. */
export const ImportState = ({
  kind,
  state,
  dry_run: isTrial,
}: Pick<Import, 'kind' | 'state' | 'dry_run'>) => {
  const texts = useTexts()
  return (
    <Group gap="xs">
      <JobState name={wordOf(texts, kind)} state={state} />
      {isTrial && (
        <Badge color="gray" variant="outline">
          {texts.imports.labels.dry_run}
        </Badge>
      )}
    </Group>
  )
}

/** How far an import is that runs. */
export const ImportProgress = ({ of }: { readonly of: Progressing }) => {
  const { imports, locale } = useTexts()
  const numbers = new Intl.NumberFormat(locale)
  return (
    <JobProgress
      of={of}
      begins={imports.reading}
      doneOf={(done, total) => imports.done({ done: numbers.format(done), total: numbers.format(total) })}
    />
  )
}

/** What became of the records, without what did not occur. */
export const ImportCounts = ({ counts }: Pick<Import, 'counts'>) => {
  const { imports, locale } = useTexts()
  const numbers = new Intl.NumberFormat(locale)
  const shown = model.imports.outcomes.filter((outcome) => counts[outcome] > 0)
  if (shown.length === 0) return '–'
  return (
    <Group gap="md" component="span">
      {shown.map((outcome) => (
        <Text key={outcome} component="span" size="sm" c={outcome === 'refused' ? 'red' : undefined}>
          {imports.outcomes[outcome]}: {numbers.format(counts[outcome])}
        </Text>
      ))}
    </Group>
  )
}

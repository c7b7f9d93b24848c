import { Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { IconAction } from './icon-action.js'
import { useTexts } from '../texts/texts.js'

type PagerProps = {
  readonly page: number
  readonly hasMore: boolean
  readonly onChange: (page: number) => void
}

/** Previous and next page; nothing if there is only one. */
export const Pager = ({ page, hasMore, onChange }: PagerProps) => {
  const { list } = useTexts()
  if (page === 1 && !hasMore) return null
  return (
    <Group justify="center" component="nav" aria-label={list.page({ page })}>
      <IconAction
        icon={IconChevronLeft}
        label={list.previous}
        variant="default"
        size="lg"
        disabled={page === 1}
        onClick={() => onChange(page - 1)}
      />
      <Text size="sm" aria-live="polite">
        {list.page({ page })}
      </Text>
      <IconAction
        icon={IconChevronRight}
        label={list.next}
        variant="default"
        size="lg"
        disabled={!hasMore}
        onClick={() => onChange(page + 1)}
      />
    </Group>
  )
}

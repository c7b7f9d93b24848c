import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
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
    <Group justify="center" component="nav" aria-label={list.page(page)}>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={list.previous}
        disabled={page === 1}
        onClick={() => onChange(page - 1)}
      >
        <IconChevronLeft size={18} aria-hidden />
      </ActionIcon>
      <Text size="sm" aria-live="polite">
        {list.page(page)}
      </Text>
      <ActionIcon
        variant="default"
        size="lg"
        aria-label={list.next}
        disabled={!hasMore}
        onClick={() => onChange(page + 1)}
      >
        <IconChevronRight size={18} aria-hidden />
      </ActionIcon>
    </Group>
  )
}

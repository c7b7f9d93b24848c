import { ActionIcon, type ActionIconProps } from '@mantine/core'
import type { IconTrash } from '@tabler/icons-react'

type IconProps = ActionIconProps & {
  readonly icon: typeof IconTrash
  readonly label: string
  /** Shown under the pointer, if it differs from the label. */
  readonly title?: string
  readonly onClick: () => void
}

/** A small button that shows an icon. */
export const IconAction = ({ icon: Symbol, label, ...button }: IconProps) => (
  <ActionIcon variant="subtle" color="gray" size="sm" {...button} aria-label={label}>
    <Symbol size={button.size === 'lg' ? 18 : 16} aria-hidden />
  </ActionIcon>
)

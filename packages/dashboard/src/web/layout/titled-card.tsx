import { Card, Title } from '@mantine/core'
import type { ReactNode } from 'react'

/** A part of a page, with its title. */
export const TitledCard = ({
  title,
  children,
}: {
  readonly title: ReactNode
  readonly children: ReactNode
}) => (
  <Card withBorder>
    <Title order={2} size="h4" mb="sm">
      {title}
    </Title>
    {children}
  </Card>
)

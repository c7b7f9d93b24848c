import { Group, Stack, Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AccessAction } from '../access/rights-change.js'
import { UtcTime } from '../layout/date-time.js'
import { Loaded } from '../layout/messages.js'
import { RowsTable } from '../layout/rows-table.js'
import { TitledCard } from '../layout/titled-card.js'
import type { Account } from '../service/account.js'
import { session } from '../service/session.js'
import { useTexts } from '../texts/texts.js'

type WayIn = {
  readonly id: string
  readonly created: string
  readonly last_used: string | null
}

type WaysInProps<W> = {
  readonly title: string
  readonly help: string
  readonly account: Account
  readonly query: UseQueryResult<{ readonly items: readonly W[] }>
  readonly nameOf: (wayIn: W) => string
  readonly empty?: string
  /** Removes one of them, after a recent sign-in. */
  readonly remove: (id: string) => Promise<unknown>
  /** Further buttons of one. */
  readonly buttons?: (wayIn: W) => ReactNode
  /** What is below the table. */
  readonly children?: ReactNode
}

/** Whether the account has a way in that is left when one is removed. */
export const hasOtherWayIn = ({ has_password: password, passkeys, identities }: Account): boolean =>
  Number(password) + passkeys + identities > 1

/** Ways in of the same kind, which can be removed as long as another one is left. */
export const WaysInCard = <W extends WayIn>(props: WaysInProps<W>) => {
  const { title, help, account, query, nameOf, empty, remove, buttons, children } = props
  const { access, account: texts, form } = useTexts()
  return (
    <TitledCard title={title}>
      <Stack>
        <Text size="sm">{help}</Text>
        <Loaded query={query}>
          {({ items }) => (
            <RowsTable
              rows={items}
              keyOf={({ id }) => id}
              head={[texts.name, texts.created, access.lastUsed, '']}
              minWidth={560}
              empty={empty}
            >
              {(wayIn) => [
                nameOf(wayIn),
                <UtcTime key="created" value={wayIn.created} />,
                wayIn.last_used === null ? access.never : <UtcTime key="used" value={wayIn.last_used} />,
                <Group key="actions" gap="xs" wrap="nowrap" display="inline-flex">
                  {buttons?.(wayIn)}
                  {hasOtherWayIn(account) ? (
                    <AccessAction
                      label={form.remove}
                      name={nameOf(wayIn)}
                      title={texts.removeTitle({ name: nameOf(wayIn) })}
                      text={texts.removeText}
                      run={() => session.withRecentSignIn(() => remove(wayIn.id))}
                    />
                  ) : (
                    <Text size="xs" c="dimmed">
                      {texts.onlyWayIn}
                    </Text>
                  )}
                </Group>,
              ]}
            </RowsTable>
          )}
        </Loaded>
        {children}
      </Stack>
    </TitledCard>
  )
}

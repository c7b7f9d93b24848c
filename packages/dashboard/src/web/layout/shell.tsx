import {
  ActionIcon,
  AppShell,
  Badge,
  Burger,
  Group,
  NativeSelect,
  NavLink,
  ScrollArea,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconArticle,
  IconCategory,
  IconFolders,
  IconHome,
  IconLayoutDashboard,
  IconLogout,
  IconMapPin,
  IconMessage,
  IconMoon,
  IconNotebook,
  IconPhoto,
  IconRoute,
  IconSettings,
  IconSun,
  IconTag,
  IconFile,
  type Icon,
} from '@tabler/icons-react'
import { useEffect, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Role } from '@publishing-service/domain'
import { model } from 'virtual:model'
import { mayAct } from '../service/instance-context.js'
import { useTexts } from '../texts/texts.js'
import { LanguageSelect } from './language-select.js'

type Held = { readonly id: number; readonly role: Role }

type ShellProps = {
  readonly instances: readonly Held[]
  readonly current: Held
  readonly userKey: string
  readonly signOut: () => void
  readonly children: ReactNode
}

/** Icons and order of the menu. Resources that are not named are shown at the end of the first group. */
const icons: Readonly<Record<string, Icon>> = {
  content: IconArticle,
  files: IconPhoto,
  comments: IconMessage,
  homepage: IconHome,
  sections: IconFolders,
  tags: IconTag,
  tag_categories: IconCategory,
  blogs: IconNotebook,
  redirects: IconRoute,
  locations: IconMapPin,
  settings: IconSettings,
}

const groups = {
  write: ['content', 'files', 'homepage', 'comments'],
  structure: ['sections', 'tags', 'tag_categories', 'blogs', 'redirects'],
  directory: ['locations'],
  admin: ['settings'],
} as const

const named = new Set<string>(Object.values(groups).flat())
const further = model.resources.map(({ collection }) => collection).filter((each) => !named.has(each))

const MenuLink = ({ path, label, icon: Symbol }: { path: string; label: string; icon: Icon }) => {
  const [location] = useLocation()
  const isCurrent = location === path || location.startsWith(`${path}/`)
  return (
    <NavLink
      component={Link}
      href={path}
      label={label}
      active={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
      leftSection={<Symbol size={18} stroke={1.5} aria-hidden />}
    />
  )
}

const Menu = ({ iid, role }: { readonly iid: number; readonly role: Role }) => {
  const { shell, collections } = useTexts()
  const [location] = useLocation()
  return (
    <nav aria-label={shell.menu}>
      <NavLink
        component={Link}
        href={`/${iid}`}
        label={shell.overview}
        active={location === `/${iid}`}
        leftSection={<IconLayoutDashboard size={18} stroke={1.5} aria-hidden />}
      />
      {Object.entries(groups).map(([group, pages]) => {
        const all: readonly string[] = group === 'write' ? [...pages, ...further] : pages
        const readable = all.filter((each) => mayAct(role, each, 'read'))
        return readable.length === 0 ? null : (
          <div key={group}>
            <Text size="xs" c="dimmed" tt="uppercase" fw={600} px="sm" pt="md" pb={4}>
              {shell.groups[group as keyof typeof groups]}
            </Text>
            {readable.map((each) => (
              <MenuLink
                key={each}
                path={`/${iid}/${each}`}
                label={collections[each] ?? each}
                icon={icons[each] ?? IconFile}
              />
            ))}
          </div>
        )
      })}
    </nav>
  )
}

const ColorSchemeToggle = () => {
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const { shell } = useTexts()
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={shell.colorScheme}
      onClick={() => setColorScheme(scheme === 'dark' ? 'light' : 'dark')}
    >
      {scheme === 'dark' ? <IconSun size={18} aria-hidden /> : <IconMoon size={18} aria-hidden />}
    </ActionIcon>
  )
}

/** The frame of all pages: the instance, the menu, and the page. */
export const Shell = ({ instances, current, userKey, signOut, children }: ShellProps) => {
  const { appName, shell, roles, signIn } = useTexts()
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const [location, navigate] = useLocation()
  useEffect(close, [location, close])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={shell.menu} />
            <Text fw={700} visibleFrom="sm">
              {appName}
            </Text>
            <NativeSelect
              aria-label={shell.switchInstance}
              size="xs"
              data={instances.map(({ id }) => ({ value: String(id), label: shell.instance(id) }))}
              value={String(current.id)}
              onChange={(event) => navigate(`/${event.currentTarget.value}`)}
            />
            <Badge variant="light" visibleFrom="sm" title={`${shell.role}: ${userKey}`}>
              {roles[current.role]}
            </Badge>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <LanguageSelect />
            <ColorSchemeToggle />
            <ActionIcon variant="default" size="lg" aria-label={signIn.signOut} onClick={signOut}>
              <IconLogout size={18} aria-hidden />
            </ActionIcon>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <ScrollArea>
          <Menu iid={current.id} role={current.role} />
        </ScrollArea>
      </AppShell.Navbar>
      <AppShell.Main id="content">{children}</AppShell.Main>
    </AppShell>
  )
}

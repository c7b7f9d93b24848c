import {
  ActionIcon,
  AppShell,
  Avatar,
  Box,
  Burger,
  Group,
  Menu,
  NativeSelect,
  NavLink,
  ScrollArea,
  Text,
  UnstyledButton,
  VisuallyHidden,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import {
  IconArticle,
  IconCategory,
  IconFolders,
  IconHistory,
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
  IconTrash,
  IconFile,
  IconPackageExport,
  IconPackageImport,
  IconUser,
  IconUsers,
  IconWebhook,
  IconWorld,
  type Icon,
} from '@tabler/icons-react'
import { useEffect, useLayoutEffect, type MouseEvent, type ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { model } from 'virtual:model'
import { mayOpen, useService, type Instance } from '../service/place.js'
import { useAccount } from '../service/account.js'
import { session } from '../service/session.js'
import { SearchDialog } from '../search/search-dialog.js'
import { collectionName, useTexts } from '../texts/texts.js'
import { Announcer } from './announcer.js'
import { AccountLanguageSelect } from './language-select.js'

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
  users: IconUsers,
  instances: IconWorld,
  trash: IconTrash,
  webhooks: IconWebhook,
  imports: IconPackageImport,
  exports: IconPackageExport,
  audit: IconHistory,
}

const groups = {
  write: ['content', 'files', 'homepage', 'comments'],
  structure: ['sections', 'tags', 'tag_categories', 'blogs', 'redirects'],
  directory: ['locations'],
  admin: ['trash', 'settings', 'users', 'webhooks', 'imports', 'exports', 'audit'],
} as const

/** Pages of the service. */
const servicePages = ['users', 'instances', 'audit']

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

const MenuLinks = ({ base, pages }: { readonly base: string; readonly pages: readonly string[] }) => {
  const { collections } = useTexts()
  return pages.map((each) => (
    <MenuLink
      key={each}
      path={`${base}/${each}`}
      label={collectionName(collections, each)}
      icon={icons[each] ?? IconFile}
    />
  ))
}

const InstanceMenu = ({ iid, role }: Instance) => {
  const { shell } = useTexts()
  const [location] = useLocation()
  return (
    <>
      <NavLink
        component={Link}
        href={`/${iid}`}
        label={shell.overview}
        active={location === `/${iid}`}
        leftSection={<IconLayoutDashboard size={18} stroke={1.5} aria-hidden />}
      />
      {Object.entries(groups).map(([group, pages]) => {
        const all: readonly string[] = group === 'write' ? [...pages, ...further] : pages
        const readable = all.filter((each) => mayOpen(role, each))
        return readable.length === 0 ? null : (
          <div key={group}>
            <Text size="xs" c="dimmed" tt="uppercase" fw={600} px="sm" pt="md" pb={4}>
              {shell.groups[group as keyof typeof groups]}
            </Text>
            <MenuLinks base={`/${iid}`} pages={readable} />
          </div>
        )
      })}
    </>
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

/** Chooses an instance on which the user has a role, or the whole service for an operator. */
const InstanceSelect = () => {
  const { shell } = useTexts()
  const { me, instance } = useService()
  const [, navigate] = useLocation()
  const instances = me.items.map(({ id, title }) => ({ value: `/${id}`, label: title }))
  return (
    <NativeSelect
      aria-label={shell.switchInstance}
      size="xs"
      miw={0}
      data={me.operator ? [...instances, { value: '/service', label: shell.service }] : instances}
      value={instance === null ? '/service' : `/${instance.iid}`}
      onChange={({ currentTarget: { value } }) => navigate(value === '/service' ? '/service/users' : value)}
    />
  )
}

/** The part after `#` is the page, so that the link must not change it. */
const skipToContent = (event: MouseEvent): void => {
  event.preventDefault()
  document.getElementById('content')?.focus()
}

/** Who is signed in, with the role here, the own account and the way out. */
const PersonMenu = () => {
  const { access, account: texts, roles, signIn } = useTexts()
  const { me, instance } = useService()
  const account = useAccount()
  const name = account?.name ?? me.name
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <UnstyledButton miw={0}>
          <Group gap={8} wrap="nowrap">
            <Avatar src={account?.picture} alt="" name={name} size={34} variant="filled" aria-hidden />
            <Box visibleFrom="sm" maw={180}>
              <Text size="sm" fw={600} lh={1.2} truncate>
                {name}
              </Text>
              <Text size="xs" c="dimmed" lh={1.2}>
                {instance === null ? (me.operator ? access.operator : access.noRole) : roles[instance.role]}
              </Text>
            </Box>
            <VisuallyHidden>{texts.menu}</VisuallyHidden>
          </Group>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} href="/account" leftSection={<IconUser size={16} aria-hidden />}>
          {texts.title}
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void session.signOut()}>
          {signIn.signOut}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The frame of all pages: the instance, the menu, and the page. */
export const Shell = ({ children }: { readonly children: ReactNode }) => {
  const { appName, shell } = useTexts()
  const { me, instance } = useService()
  const [isOpen, { toggle, close }] = useDisclosure(false)
  const [location] = useLocation()
  useEffect(close, [location, close])
  // The page sets its own title when it is loaded.
  useLayoutEffect(() => {
    document.title = instance?.title ?? appName
  }, [location, instance?.title, appName])
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <a href="#content" className="skip-link" onClick={skipToContent}>
          {shell.skipToContent}
        </a>
        <Group h="100%" px="sm" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={shell.menu} />
            <Text fw={700} visibleFrom="sm">
              {appName}
            </Text>
            {(instance !== null || me.operator) && <InstanceSelect />}
          </Group>
          <Group gap="xs" wrap="nowrap">
            {instance !== null && <SearchDialog />}
            <Box visibleFrom="sm">
              <AccountLanguageSelect />
            </Box>
            <ColorSchemeToggle />
            <PersonMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar>
        <ScrollArea>
          <nav aria-label={shell.menu}>
            {instance !== null && <InstanceMenu {...instance} />}
            {instance === null && me.operator && <MenuLinks base="/service" pages={servicePages} />}
          </nav>
        </ScrollArea>
        <Box hiddenFrom="sm" p="sm">
          <AccountLanguageSelect />
        </Box>
      </AppShell.Navbar>
      <Announcer />
      <AppShell.Main id="content" tabIndex={-1}>
        {children}
      </AppShell.Main>
    </AppShell>
  )
}

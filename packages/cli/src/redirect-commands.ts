/** `redirects export`: all redirects of a website as a file for its host. */
import { Option } from 'commander'
import { redirectFormats } from '@publishing-service/domain/paths'
import { exportRedirects, orThrow } from '@publishing-service/application'
import { asCommandLine } from '@publishing-service/composition-root'
import { redirectFile } from '@publishing-service/http-contract'
import { adminCommand, type AdminCommand } from './command.js'
import { listHint } from './command-failure.js'
import { instanceNumber } from './instance-commands.js'
import { onOwnData } from './on-own-data.js'

type ExportOptions = { readonly instance: number; readonly format: string }

export const redirectCommands: readonly AdminCommand[] = [
  adminCommand<ExportOptions>({
    name: 'export',
    summary: 'print all redirects for a host of static websites',
    description:
      'Prints the earlier paths of everything that the public sees, and the redirects of the instance, as a file for ' +
      'the host of a static website: `_redirects` for Netlify, and maps to include for nginx. The file has how it is used.',
    options: [
      new Option('--instance <number>', 'instance of the website')
        .argParser(instanceNumber)
        .makeOptionMandatory(),
      new Option('--format <host>', 'host that reads the file')
        .choices(redirectFormats)
        .makeOptionMandatory(),
    ],
    json: '[{"from": …, "to": …, "status": …, "keepsQuery": …}, …]',
    examples: [
      'redirects export --instance 1 --format netlify > public/_redirects',
      'redirects export --instance 1 --format nginx > /etc/nginx/redirects.conf',
    ],
    missing: ({ instance }) => `there is no instance ${instance}. ${listHint('instance')}`,
    run: ({ instance, format: host }) =>
      onOwnData(async (useCases) => {
        const run = asCommandLine(useCases, instance)
        const { format, redirects } = await orThrow(run(exportRedirects, { parameters: { format: host } }))
        return { value: [...redirects], text: redirectFile(format, redirects).trimEnd() }
      }),
  }),
]

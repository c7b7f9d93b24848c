/** What `npm start -- --help` prints. */
import { helpSection, storesHelp, variablesHelp } from './environment-help.js'
import { configurationOfProcess } from './environment.js'
import { startOptionMeanings } from './start-options.js'

/** The options, the stores that the environment chooses, and every variable. */
export const startHelp = async (): Promise<string> =>
  [
    'Usage: npm start -- [options]',
    '',
    'Starts the publishing service, which variables of the environment configure.',
    '',
    helpSection(
      'Options',
      Object.entries(startOptionMeanings).map(([name, meaning]) => [`--${name}`, meaning]),
    ),
    '',
    await storesHelp(await configurationOfProcess()),
    '',
    variablesHelp(),
    '',
  ].join('\n')

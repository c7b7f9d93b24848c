/** An nginx for tests, from the packages of the system. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listens, startServerProcess, type ServerProcess } from './server-process.js'

/** What nginx writes outside of its configuration, in the folder of the test. */
const settingsIn = (folder: string): string => {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return ['access_log off;', ...temporary].join('\n')
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** Starts nginx with what `httpAt` puts into its `http` block for the address where it is to listen. */
export const startNginx = async (httpAt: (address: string) => string): Promise<ServerProcess> => {
  try {
    return await startServerProcess({
      name: 'nginx',
      binary: 'nginx',
      args: (address, folder) => {
        const file = join(folder, 'nginx.conf')
        writeFileSync(
          file,
          `daemon off; master_process off; pid ${folder}/pid; error_log stderr warn;
events {}
http {
${settingsIn(folder)}
${httpAt(address)}
}
`,
        )
        return ['-c', file, '-p', folder, '-e', 'stderr']
      },
      isReady: listens,
    })
  } catch (error) {
    throw isMissing(error)
      ? new Error('There is no nginx. Install it (Debian: apt-get install nginx-light)', { cause: error })
      : error
  }
}

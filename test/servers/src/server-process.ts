/**
 * A server as a separate process with temporary data, or with data in a folder that remains. It can be stopped, killed and restarted at the
 * same address with the same data. `dispose` and the end of the tests’ process remove temporary data.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

export type ServerProcess = {
  /** host:port */
  readonly address: string
  /** The number of the process; null while it does not run. */
  readonly pid: () => number | null
  /** Asks the server to end, and waits for the end of the process. */
  readonly stop: () => Promise<void>
  /** Sends SIGKILL, which simulates a crash. */
  readonly kill: () => Promise<void>
  /** Starts it again after `stop` or `kill`, and waits until it is ready. */
  readonly start: () => Promise<void>
  /** Stops it, and removes its data if they are temporary. */
  readonly dispose: () => Promise<void>
}

export type ServerCommand = {
  readonly name: string
  readonly binary: string
  readonly args: (address: string, folder: string) => readonly string[]
  readonly environment?: NodeJS.ProcessEnv
  /** The user that the server runs as, if it is another. */
  readonly identity?: { readonly uid: number; readonly gid: number } | null
  /** The folder of data that remains; created if it is missing. The data is temporary without it. */
  readonly dataFolder?: string | undefined
  /** Fills the folder of a new server. */
  readonly prepare?: (folder: string) => Promise<void>
  /** The signal that stops the server; SIGTERM by default. */
  readonly stopSignal?: NodeJS.Signals
  /** Whether the server is ready at this address. Called repeatedly until it is. */
  readonly isReady: (address: string) => Promise<boolean>
}

const startTimeout = 30_000
const maxOutput = 4000

/** The temporary data directory of each running server. They are removed if the tests’ process ends without `dispose`. */
const running = new Map<ChildProcess, string | null>()
const endAll = (): void => {
  for (const [child, folder] of running) {
    child.kill('SIGKILL')
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
}
process.once('exit', endAll)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    endAll()
    process.kill(process.pid, signal)
  })

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

/** Whether something accepts connections at this address. */
export const listens = async (address: string): Promise<boolean> => {
  const { hostname, port } = new URL(`tcp://${address}`)
  const socket = connect(Number(port), hostname)
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

const launch = async (command: ServerCommand, address: string, folder: string): Promise<ChildProcess> => {
  const child = spawn(command.binary, command.args(address, folder), {
    env: { ...process.env, ...command.environment },
    cwd: folder,
    ...command.identity,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.set(child, command.dataFolder === undefined ? folder : null)
  child.once('exit', () => running.delete(child))
  // The process of the tests may end before the server.
  child.unref()
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    if (stream instanceof Socket) stream.unref()
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-maxOutput)
    })
  }
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      reject(new Error(`${command.name} ended with ${code ?? signal} before it was ready:\n${output}`)),
    )
  })
  const waitUntilReady = async (): Promise<void> => {
    const start = performance.now()
    while (!(await command.isReady(address))) {
      if (performance.now() - start > startTimeout)
        throw new Error(`${command.name} did not respond at ${address} within ${startTimeout} ms:\n${output}`)
      await setTimeout(20)
    }
  }
  // Prevents an unhandled rejection when the server ends later.
  ended.catch(() => undefined)
  await Promise.race([waitUntilReady(), ended])
  return child
}

const end = async (child: ChildProcess | null, signal: NodeJS.Signals): Promise<void> => {
  if (child === null || child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const exited = once(child, 'exit')
  child.kill(signal)
  await exited
}

/** Starts the server without data on a free local port. Resolves when it is ready. */
export const startServerProcess = async (command: ServerCommand): Promise<ServerProcess> => {
  const { dataFolder } = command
  const isNew = dataFolder === undefined || !existsSync(dataFolder)
  if (dataFolder !== undefined) await mkdir(dataFolder, { recursive: true })
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), `${command.name}-`)))
  const address = `127.0.0.1:${await freePort()}`
  const { stopSignal = 'SIGTERM' } = command
  let child: ChildProcess | null = null
  const start = async (): Promise<void> => {
    child = await launch(command, address, folder)
  }
  /** As a supervisor does: processes of a server that was killed may still use its data for a moment. */
  const restart = async (): Promise<void> => {
    for (const began = performance.now(); ;)
      try {
        return await start()
      } catch (error) {
        if (performance.now() - began > startTimeout) throw error
        await setTimeout(100)
      }
  }
  const endWith = async (signal: NodeJS.Signals): Promise<void> => {
    await end(child, signal)
    child = null
  }
  const dispose = async (): Promise<void> => {
    await endWith(dataFolder === undefined ? 'SIGKILL' : stopSignal)
    if (dataFolder === undefined) await rm(folder, { recursive: true, force: true })
  }
  try {
    if (isNew) await command.prepare?.(folder)
    await start()
  } catch (error) {
    await dispose()
    if (isNew) await rm(folder, { recursive: true, force: true })
    throw error
  }
  return {
    address,
    start: restart,
    pid: () => child?.pid ?? null,
    stop: () => endWith(stopSignal),
    kill: () => endWith('SIGKILL'),
    dispose,
  }
}

/** The program of a process that scales. */
import { jobMemoryMb } from './job-memory.js'
import { serveJobs } from './serve-jobs.js'

await serveJobs(jobMemoryMb)

/** The program of a scaling process. */
import { jobMemoryMb } from './job-memory.js'
import { serveJobs } from './serve-jobs.js'

serveJobs(jobMemoryMb)

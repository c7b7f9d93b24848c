/** The scaling program for tests, with a memory estimate of 0 for each job. */
import { serveJobs } from './serve-jobs.js'

serveJobs(() => 0)

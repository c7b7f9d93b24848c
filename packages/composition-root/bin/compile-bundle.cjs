// Loads the bundle, so that its compiled code is kept: a container, whose processes may write nothing there, needs that.
'use strict'
const { compileProgram, loadProgram } = require('./load-program.cjs')
const { entries, parts } = require('../dist/bundle/files.json')

// V8 compiles the functions of what runs. The entries are not run here: those of threads would begin their work.
for (const name of entries) compileProgram(name)
for (const name of parts) loadProgram(name)
// Libraries may have begun something.
process.exit()

/** `import json`, `wordpress`, `ghost`, `feed`, `ics` and `csv`: content of other systems comes into an instance. */
import { Option } from 'commander'
import type { AdminCommand } from '../command.js'
import { importCommand } from './import-command.js'

export const importCommands: readonly AdminCommand[] = [
  importCommand({
    kind: 'json',
    summary: 'import objects in the form of the API',
    description:
      'Imports a file with a line of JSON for each object, with its collection, its UUID, its attributes and its parts. ' +
      'Objects come after those that they refer to.',
    argument: 'the file, such as objects.jsonl',
    examples: [
      'import json objects.jsonl --instance 1 --dry-run',
      'import json objects.jsonl --instance 1 --uploads ./pictures --report report.jsonl',
    ],
  }),
  importCommand({
    kind: 'wordpress',
    summary: 'import a website of WordPress',
    description:
      'Imports an export of WordPress (Tools, Export, All content): posts, pages, categories, tags, authors, comments, ' +
      'pictures and earlier paths.',
    argument: 'the export, an XML file (WXR)',
    examples: [
      'import wordpress website.xml --instance 1 --uploads ./wp-content/uploads --dry-run',
      'import wordpress website.xml --instance 1 --fetch --report report.jsonl',
    ],
  }),
  importCommand({
    kind: 'ghost',
    summary: 'import a website of Ghost',
    description:
      'Imports an export of Ghost: posts, pages, tags, authors and redirects, with the pictures in its zip.',
    argument: 'the export, a JSON file or a zip',
    further: [new Option('--redirects <file>', 'redirects.json or redirects.yaml of the website')],
    examples: [
      'import ghost ghost.zip --instance 1 --site https://www.example.org --dry-run',
      'import ghost ghost.json --instance 1 --site https://www.example.org --fetch --sections primary-tag',
    ],
  }),
  importCommand({
    kind: 'feed',
    summary: 'import the items of a feed',
    description: 'Imports a feed in RSS, Atom or JSON Feed: each item is an article.',
    argument: 'the feed, a file',
    examples: ['import feed feed.xml --instance 1 --state draft'],
  }),
  importCommand({
    kind: 'ics',
    summary: 'import the events of a calendar',
    description:
      'Imports a calendar in the format iCalendar: each of its events is content of the type event.',
    argument: 'the calendar, an ICS file',
    examples: [
      'import ics calendar.ics --instance 1 --dry-run',
      'import ics calendar.ics --instance 1 --state draft --replace --report report.jsonl',
    ],
  }),
  importCommand({
    kind: 'csv',
    summary: 'import a table of locations, events, articles or redirects',
    description:
      'Imports a table: each row is an object. The first row has the names of the attributes, or headers to which a mapping, ' +
      'a JSON file, assigns attributes.',
    argument: 'the table, a CSV file',
    examples: [
      'import csv places.csv --collection locations --instance 1 --dry-run',
      'import csv events.csv --collection content --mapping mapping.json --instance 1 --report report.jsonl',
    ],
  }),
]

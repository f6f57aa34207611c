/**
 * `npm run audit -- verify [--expect HASH]` checks the hash chain of the audit log. `npm run audit --
 * export FILE` writes all entries as CSV. Both work with and without a running shop.
 */
import { open } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { loadDotEnv } from '#src/app/environment.ts';
import { readSettings } from '#src/app/settings.ts';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { isSetUp } from '#src/platform/database/embedded-postgres.ts';
import { exportAuditLog, hasAuditHash, verifyAuditLog } from '#src/shop/audit-log/service.ts';
import type { AuditProblem } from '#src/shop/audit-log/service.ts';
import { Refused, runCommand, WrongUsage } from './operate/command.ts';
import { reachDatabase, silentLog } from './operate/reach-database.ts';

const usage = 'Usage: npm run audit -- verify [--expect HASH] | export FILE';
const HASH = /^[0-9a-f]{64}$/;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

type Command =
  | { readonly kind: 'verify'; readonly expected: string | null }
  | { readonly kind: 'export'; readonly file: string };

function readCommand(args: readonly string[]): Command {
  const { values, positionals } = parse(args);
  const [name, file, ...more] = positionals;
  const expected = values.expect?.toLowerCase() ?? null;
  if (more.length > 0) throw new WrongUsage(usage);
  if (name === 'export' && file !== undefined && expected === null) return { kind: 'export', file };
  const isHash = expected === null || HASH.test(expected);
  if (name !== 'verify' || file !== undefined || !isHash) throw new WrongUsage(usage);
  return { kind: 'verify', expected };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { expect: { type: 'string' } }, allowPositionals: true });
  } catch {
    throw new WrongUsage(usage);
  }
}

const PROBLEMS: Readonly<Record<AuditProblem, string>> = {
  missing: 'is missing',
  changed: 'was changed',
  'details-changed': 'has changed details',
  unlinked: 'does not follow the entry before it',
  'head-differs': 'is not the newest one that was recorded: entries were removed at the end or replaced',
};

async function verify(db: Db, expected: string | null): Promise<void> {
  const check = await verifyAuditLog(db);
  if (!check.ok) throw new Refused(`The audit log is damaged: entry ${check.entryId} ${PROBLEMS[check.problem]}.`);
  if (expected !== null && !(await hasAuditHash(db, expected))) {
    throw new Refused(
      'The audit log does not contain the expected hash. Entries were removed at the end, or the log was replaced.',
    );
  }
  const erased = check.erased === 0 ? '' : `, ${check.erased} with erased details`;
  print(`${check.entries} ${check.entries === 1n ? 'entry' : 'entries'}${erased}. The chain is intact.`);
  print(`Newest hash: ${check.hash}`);
}

async function exportTo(db: Db, path: string): Promise<void> {
  const file = await open(path, 'wx').catch((error: unknown) => {
    throw new Refused(`${path} can't be created: ${error instanceof Error ? error.message : String(error)}`);
  });
  let entries = -1;
  try {
    for await (const cells of exportAuditLog(db, {})) {
      await file.write(formatCsvLine(cells));
      entries += 1;
    }
  } finally {
    await file.close();
  }
  print(`Wrote ${entries} ${entries === 1 ? 'entry' : 'entries'} to ${path}.`);
}

async function run(args: readonly string[]): Promise<void> {
  const command = readCommand(args);
  loadDotEnv();
  const settings = readSettings(process.env);
  if (settings.databaseUrl === null && !(await isSetUp(settings))) {
    throw new Refused('There is no database yet. Run "npm start" to create it.');
  }
  const access = await reachDatabase(settings);
  const database = openDatabase({ connection: access.connection, log: silentLog });
  try {
    if (command.kind === 'verify') await verify(database.db, command.expected);
    else await exportTo(database.db, command.file);
  } finally {
    await database.close();
    await access.stop();
  }
}

await runCommand(() => run(process.argv.slice(2)));

/**
 * `npm run staff -- owner NAME`: assigns a role to an account that is registered in the shop. Works with
 * and without a running shop; the role applies from the next request. `npm run staff -- list` lists
 * owners and staff.
 */
import process from 'node:process';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { isSetUp } from '#src/platform/database/embedded-postgres.ts';
import { loadDotEnv, readSettings } from '#src/app/settings.ts';
import { assignRole, findStaff } from '#src/shop/accounts/service.ts';
import { Refused, runCommand, WrongUsage } from './command.ts';
import { reachDatabase, silentLog } from './reach-database.ts';

const usage = 'Usage: npm run staff -- list | owner NAME | staff NAME | customer NAME';
const roles = ['owner', 'staff', 'customer'] as const;

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

async function list(db: Db): Promise<void> {
  const members = await findStaff(db);
  if (members.length === 0) printLine('No staff yet. Register in the shop, then run "npm run staff -- owner NAME".');
  for (const { username, email, role } of members) printLine(`${role.padEnd(8)} ${username}, ${email}`);
}

async function run([command, name, ...more]: readonly string[]): Promise<void> {
  const role = roles.find((candidate) => candidate === command);
  const isList = command === 'list' && name === undefined;
  if (more.length > 0 || (!isList && (role === undefined || name === undefined))) throw new WrongUsage(usage);
  loadDotEnv();
  const settings = readSettings(process.env);
  if (settings.databaseUrl === null && !(await isSetUp(settings))) {
    throw new Refused('There is no database yet. Start the shop and register in it first.');
  }
  const access = await reachDatabase(settings);
  const database = openDatabase({ connection: access.connection, log: silentLog });
  try {
    if (role === undefined || name === undefined) await list(database.db);
    else if (await assignRole(database.db, name, role)) printLine(`${name} is ${role} now.`);
    else throw new Refused(`There is no account ${name}. Register it in the shop first.`);
  } finally {
    await database.close();
    await access.stop();
  }
}

await runCommand(() => run(process.argv.slice(2)));

/**
 * `npm run staff -- owner NAME`: says who works here. Who is to be staff registers in the shop first, as customers do;
 * roles are given by whoever has the server, since nobody in the shop could give the first one. Beside a running shop or
 * without one: a role counts from the next call on. `npm run staff -- list` tells who has one.
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

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function list(db: Db): Promise<void> {
  const found = await findStaff(db);
  if (found.length === 0) say('Nobody yet: register in the shop, then "npm run staff -- owner NAME".');
  for (const { username, email, role } of found) say(`${role.padEnd(8)} ${username}, ${email}`);
}

async function run([asked, name, ...more]: readonly string[]): Promise<void> {
  const role = roles.find((one) => one === asked);
  const isList = asked === 'list' && name === undefined;
  if (more.length > 0 || (!isList && (role === undefined || name === undefined))) throw new WrongUsage(usage);
  loadDotEnv();
  const settings = readSettings(process.env);
  if (settings.databaseUrl === null && !(await isSetUp(settings))) {
    throw new Refused('There is no database yet: start the shop and register in it first.');
  }
  const access = await reachDatabase(settings);
  const database = openDatabase({ connection: access.connection, log: silentLog });
  try {
    if (role === undefined || name === undefined) await list(database.db);
    else if (await assignRole(database.db, name, role)) say(`${name} is ${role} now.`);
    else throw new Refused(`There is no account ${name}: register it in the shop first.`);
  } finally {
    await database.close();
    await access.stop();
  }
}

await runCommand(() => run(process.argv.slice(2)));

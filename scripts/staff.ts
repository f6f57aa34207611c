/**
 * `npm run staff -- owner NAME`: assigns a role to an account that is registered in the shop. Works with
 * and without a running shop; the role applies from the next request, and a promotion ends the sessions. `npm run staff -- list` lists
 * owners and staff.
 */
import process from 'node:process';
import { openDatabase } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { isSetUp } from '#src/platform/database/embedded-postgres.ts';
import { loadDotEnv } from '#src/app/environment.ts';
import { readSettings } from '#src/app/settings.ts';
import { endAllSessions, resetSecondFactor } from '#src/shop/accounts/second-factor/service.ts';
import type { Actor } from '#src/shop/audit-log/actor.ts';
import { Roles } from '#src/shop/accounts/team/service.ts';
import { MIN_STAFF_PASSWORD_LENGTH } from '#src/shop/accounts/registration/check-password.ts';
import { ROLES } from '#src/shop/permissions.ts';
import type { Role } from '#src/shop/permissions.ts';
import { Refused, runCommand, WrongUsage } from './operate/command.ts';
import { reachDatabase, silentLog } from './operate/reach-database.ts';

const usage = `Usage: npm run staff -- list | ${ROLES.toReversed()
  .map((role) => `${role} NAME`)
  .join(' | ')} | reset-2fa NAME`;

const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

async function list(roles: Roles): Promise<void> {
  const members = await roles.list();
  if (members.length === 0) printLine('No staff yet. Register in the shop, then run "npm run staff -- owner NAME".');
  for (const { username, email, role } of members) printLine(`${role.padEnd(8)} ${username}, ${email}`);
}

function describeChange(name: string, role: Role): string {
  if (role === 'customer') return `${name} is ${role} now.`;
  return `${name} is ${role} now.
A promotion ends the present sessions: ${name} logs in again. A password of fewer than ${MIN_STAFF_PASSWORD_LENGTH} characters must be replaced then.`;
}

async function resetFactor(db: Db, username: string, by: Actor): Promise<void> {
  const isReset = await resetSecondFactor(db, { username, by, now: new Date() });
  if (isReset === null) throw new Refused(`There is no account ${username}.`);
  if (!isReset) throw new Refused(`${username} has no second factor.`);
  printLine(`${username} is logged out everywhere and sets up a new second factor at the next login.`);
}

async function run([command, name, ...more]: readonly string[]): Promise<void> {
  const role = ROLES.find((candidate) => candidate === command);
  const isList = command === 'list' && name === undefined;
  const isKnown = role !== undefined || command === 'reset-2fa';
  if (more.length > 0 || (!isList && (!isKnown || name === undefined))) throw new WrongUsage(usage);
  loadDotEnv();
  const settings = readSettings(process.env);
  if (settings.databaseUrl === null && !(await isSetUp(settings))) {
    throw new Refused('There is no database yet. Start the shop and register in it first.');
  }
  const access = await reachDatabase(settings);
  const database = openDatabase({ connection: access.connection, log: silentLog });
  try {
    const team = new Roles({ db: database.db, clock: { now: () => new Date() }, endSessions: endAllSessions });
    const by = { kind: 'command', name: 'staff' } as const;
    if (name === undefined) await list(team);
    else if (role === undefined) await resetFactor(database.db, name, by);
    else if ((await team.change(name, role, by)).ok) printLine(describeChange(name, role));
    else throw new Refused(`There is no account ${name}. Register it in the shop first.`);
  } finally {
    await database.close();
    await access.stop();
  }
}

await runCommand(() => run(process.argv.slice(2)));

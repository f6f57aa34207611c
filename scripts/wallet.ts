/**
 * `npm run wallet -- check`: shows the account and first addresses of BITCOIN_XPUB, or of an entered
 * key, to compare with the merchant's wallet. Stores nothing; uses no database and no network.
 * `npm run wallet -- export`: prints the descriptors and range of all issued addresses and of refund
 * change, to import into any wallet.
 */
import process from 'node:process';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { sql } from 'kysely';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import type { AccountKey } from '#src/platform/bitcoin/account-key.ts';
import { formatPath } from '#src/platform/bitcoin/descriptor.ts';
import { networkNames } from '#src/platform/bitcoin/network.ts';
import { scriptRules, walletScripts } from '#src/platform/bitcoin/wallet-script.ts';
import { openDatabase } from '#src/platform/database/database.ts';
import { isSetUp } from '#src/platform/database/embedded-postgres.ts';
import { findAccountKey } from '#src/app/find-account-key.ts';
import { loadDotEnv } from '#src/app/environment.ts';
import { readSettings } from '#src/app/settings.ts';
import { Refused, runCommand, WrongUsage } from './operate/command.ts';
import { reachDatabase, silentLog } from './operate/reach-database.ts';

const usage = `Usage: npm run wallet -- check | export
The key is read from BITCOIN_XPUB or entered at the prompt. Never pass it as an argument: the shell stores its history.`;
const FIRST_ADDRESSES = 5;
/** Range beyond the issued addresses, for addresses that are issued after the import. */
const AHEAD = 100;

const printLines = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);

/** Reads an environment variable that must have one of the `known` values. */
function readSetting<Name extends string>(variable: string, known: readonly Name[], byDefault: Name): Name {
  const given = process.env[variable]?.trim() ?? '';
  const value = given === '' ? byDefault : known.find((name) => name === given);
  if (value === undefined) throw new Refused(`${variable}: must be one of ${known.join(', ')}`);
  return value;
}

async function askForKey(): Promise<string> {
  // Reads the whole input, so that a file of seed words is recognized.
  if (!process.stdin.isTTY) return text(process.stdin);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await terminal.question('The public key of the account (xpub, zpub, tpub, vpub or a descriptor): ');
  } finally {
    terminal.close();
  }
}

function describeSource({ origin, fingerprint, depth, script }: AccountKey): string[] {
  if (origin !== null) {
    return [
      `Fingerprint  ${origin.fingerprint} of the wallet, ${fingerprint} of the account`,
      `Account      m${formatPath(origin.path)}`,
    ];
  }
  const line = `Fingerprint  ${fingerprint} of the account; the fingerprint of its wallet is unknown`;
  const { purpose } = scriptRules[script];
  if (depth === 3) return [line, `Account      m/${purpose}h/…, if the addresses below are your wallet's`];
  return [line, `Depth        ${depth}: the accounts of most wallets have 3; check the addresses below`];
}

function describe(key: AccountKey): string[] {
  const { network, script, descriptor } = key;
  const addresses = Array.from({ length: FIRST_ADDRESSES }, (_, index) => {
    return `  0/${index}  ${key.deriveAddress(index).address}`;
  });
  return [
    `Network      ${network.name}`,
    `Addresses    ${scriptRules[script].title}`,
    ...describeSource(key),
    `Descriptor   ${descriptor}`,
    `Range        0 to ${AHEAD - 1} before the first order; "npm run wallet -- export" prints the range in use`,
    '',
    "Compare with the first receiving addresses that your wallet shows. If one differs, don't use this key:",
    ...addresses,
  ];
}

async function check(): Promise<void> {
  const network = readSetting('BITCOIN_NETWORK', networkNames, 'regtest');
  const script = readSetting('WALLET_SCRIPT', walletScripts, 'p2wpkh');
  const given = process.env['BITCOIN_XPUB']?.trim() ?? '';
  const key = given === '' ? await askForKey() : given;
  if (key.trim() === '') throw new Refused(`No key was given.\n${usage}`);
  const isAnyDepth = readSetting('BITCOIN_XPUB_ANY_DEPTH', ['on', 'off'], 'off') === 'on';
  const read = readAccountKey(key, network, script, isAnyDepth);
  if (read.ok) return printLines(describe(read.account));
  const hint = read.reason === 'wrong-network' ? ' Set BITCOIN_NETWORK to the network of the key.' : '';
  throw new Refused(read.message + hint);
}

interface Issued {
  readonly account: string;
  readonly count: number;
  readonly last: number;
  readonly next: number;
  readonly since: Date;
}

function describeExport(key: AccountKey, issued: readonly Issued[]): string[] {
  const own = issued.find(({ account }) => account === key.account);
  const others = issued.filter(({ account }) => account !== key.account);
  const last = (own?.next ?? 0) + AHEAD - 1;
  const timestamp = own === undefined ? 'now' : Math.trunc(own.since.getTime() / 1000);
  // Without a label, which Bitcoin Core rejects for a range.
  const request = [
    { desc: key.descriptor, range: [0, last], timestamp },
    { desc: key.changeDescriptor, range: [0, last], timestamp, internal: true },
  ];
  return [
    `Network      ${key.network.name}`,
    `Addresses    ${scriptRules[key.script].title}`,
    `Descriptor   ${key.descriptor}`,
    `Change       ${key.changeDescriptor}, for refunds`,
    `Range        0 to ${last}, for both descriptors`,
    own === undefined
      ? 'Issued       none yet'
      : `Issued       ${own.count}, the last at index ${own.last}, the first on ${own.since.toISOString().slice(0, 10)}`,
    '',
    'A wallet with a gap limit of 20 misses payments after 20 unpaid orders in a row.',
    `Set its gap limit to ${last + 1}, or import both descriptors with the range. For a watch-only wallet of Bitcoin Core:`,
    `  bitcoin-cli importdescriptors '${JSON.stringify(request)}'`,
    ...others.flatMap(({ account, count, last: index }) => [
      '',
      `${count} addresses, up to index ${index}, belong to another account (${account}). Run this again with its key in BITCOIN_XPUB`,
      'and its script in WALLET_SCRIPT.',
    ]),
  ];
}

async function exportRange(): Promise<void> {
  const settings = readSettings(process.env);
  const { accountKey } = settings;
  if (settings.databaseUrl === null && !(await isSetUp(settings))) return printLines(describeExport(accountKey, []));
  const access = await reachDatabase(settings);
  const database = openDatabase({ connection: access.connection, log: silentLog });
  try {
    const { rows } = await sql<Issued>`
      select account, count(*)::int as count, max(derivation_index) as last, next_index as next, min(issued_at) as since
      from order_addresses join wallets using (account)
      group by account, next_index order by account
    `.execute(database.db);
    printLines(describeExport(await findAccountKey(settings, database.db), rows));
  } finally {
    await database.close();
    await access.stop();
  }
}

async function run([command, ...more]: readonly string[]): Promise<void> {
  if (more.length > 0 || (command !== 'check' && command !== 'export')) throw new WrongUsage(usage);
  loadDotEnv();
  await (command === 'check' ? check() : exportRange());
}

await runCommand(() => run(process.argv.slice(2)));

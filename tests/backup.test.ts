/** A backup taken while the shop sells, and its restore into an empty database. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
import { textAt, valueAt } from './support/read-json.ts';
import { startSpawnedShop } from './support/spawned-shop.ts';
import type { SpawnedShop } from './support/spawned-shop.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { makeTemporaryDirectory } from './support/template.ts';
import { waitUntil } from './support/wait-until.ts';

/** Characters that some programs treat as line ends, or that need escapes. */
const STRANGE = 'one\u2028two\u2029three \\ "quoted" \t \u{1f34e} \u0085';

let shop: SpawnedShop;
let product: string;
const folder = makeTemporaryDirectory();
const file = join(folder, 'a shop.backup');
const early = join(folder, 'early.backup');

interface Ended {
  readonly code: number | null;
  readonly output: string;
}
function runDb(command: readonly string[], dataDir: string, passphrase = ''): Promise<Ended> {
  const child = spawn(process.execPath, ['scripts/run.mjs', 'db', ...command], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: '', BACKUP_PASSPHRASE: passphrase },
    timeout: 120_000,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}
async function runDbToSuccess(command: readonly string[], dataDir: string, passphrase?: string): Promise<string> {
  const { code, output } = await runDb(command, dataDir, passphrase);
  assert.equal(code, 0, output);
  return output;
}

/** The rows of a backup in a fixed order, without its time and the transactions that wrote them. */
async function readLines(backup: string): Promise<readonly string[]> {
  const [, ...lines] = gunzipSync(await readFile(backup))
    .toString()
    .trimEnd()
    .split('\n');
  let table = '';
  const rows = lines.slice(0, -1).map((line) => {
    if (line.startsWith('T ')) table = line.slice(2);
    return `${table} ${line.replace(/, "(?:issued_in|changed_by)": "\d+"/, '')}`;
  });
  return rows.toSorted();
}
const isWallet = (line: string): boolean => line.startsWith('wallets R');
const isNumber = (line: string): boolean => line.includes('S order_number ');
const isRestore = (line: string): boolean => line.startsWith('restores ');
/** Whether the line is a row that a restore adds. */
const isNoted = (line: string): boolean => isWallet(line) || isNumber(line) || isRestore(line);
const readLastNumber = (lines: readonly string[]): number =>
  Number(/S order_number (\d+)/.exec(lines.find(isNumber) ?? '')?.[1]);
const readNextIndex = (lines: readonly string[]): number =>
  Number(/"next_index": (\d+)/.exec(lines.find(isWallet) ?? '')?.[1]);

interface Ordered {
  readonly token: string;
  readonly id: string;
  readonly number: string;
  readonly address: string;
}

async function order(at: SpawnedShop, name: string): Promise<Ordered> {
  const token = await createStockBuyer(at, name, product);
  const { body, status } = await at.api('POST', '/cart/checkout', {
    token,
    body: { ...BILLING, city: STRANGE.replace(/[^ -~]/gu, '') },
  });
  assert.equal(status, 201, JSON.stringify(body));
  const [id, number] = [textAt(body, 'order', 'id'), textAt(body, 'order', 'number')];
  return { token, id, number, address: textAt(body, 'order', 'payment', 'address') };
}
async function callDemoTool(at: SpawnedShop, path: string, body: unknown): Promise<void> {
  const response = await at.api('POST', `/dev/${path}`, { body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
}
const readStatus = async (at: SpawnedShop, { token, id }: { token: string; id: string }): Promise<string> =>
  textAt((await at.api('GET', `/orders/${id}`, { token })).body, 'order', 'payment_status');

before(async () => {
  shop = await startSpawnedShop();
  product = textAt((await shop.api('GET', '/products?limit=1')).body, 0, 'id');
  await runDbToSuccess(['backup', early], shop.dataDir);
});
after(async () => {
  await shop.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('[PAY-07] a restore returns every row and skips addresses issued since', async () => {
  const [paid, unpaid] = [await order(shop, 'paid'), await order(shop, 'unpaid')];
  await callDemoTool(shop, 'pay', { order_id: paid.id });
  await callDemoTool(shop, 'mine', { blocks: 3 });
  assert.equal(await readStatus(shop, paid), 'paid');
  const ticket = { title: 'A question', theme: 'Delivery', description: STRANGE };
  assert.equal((await shop.api('POST', '/tickets/create', { token: paid.token, body: ticket })).status, 201);

  assert.match(await runDbToSuccess(['backup', file], shop.dataDir), /^Wrote \d+ rows to .*a shop\.backup, \d+ KB/m);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.ok(!existsSync(`${file}.part`));
  const unsavedOrder = await order(shop, 'after');

  const again = join(folder, 'again');
  const other = await startSpawnedShop({
    prepare: async (dataDir) => {
      assert.match(await runDbToSuccess(['restore', file], dataDir), /Restored \d+ rows of /);
      await runDbToSuccess(['backup', again], dataDir);
    },
  });
  try {
    const [kept, back] = [await readLines(file), await readLines(again)];
    assert.deepEqual(
      back.filter((line) => !isNoted(line)),
      kept.filter((line) => !isNoted(line)),
    );
    const [noted = '', ...more] = back.filter(isRestore).filter((line) => line.includes('{'));
    assert.deepEqual([more, kept.filter((line) => isRestore(line) && line.includes('{'))], [[], []]);
    assert.match(noted, /"backup_at": "20\d\d-.*"restored_at": "20\d\d-/);
    assert.equal(readNextIndex(back), readNextIndex(kept) + 10_000);
    assert.equal(readLastNumber(back), readLastNumber(kept) + 10_000);
    assert.equal(await readStatus(other, paid), 'paid');
    await callDemoTool(other, 'pay', { order_id: unpaid.id });
    await callDemoTool(other, 'mine', { blocks: 3 });
    await waitUntil(async () => (await readStatus(other, unpaid)) === 'paid');
    const next = await order(other, 'next');
    assert.ok(![paid, unpaid, unsavedOrder].some(({ address }) => address === next.address));
    assert.ok(![paid, unpaid, unsavedOrder].some(({ number }) => number === next.number), next.number);
  } finally {
    await other.stop();
  }
});

test('[PAY-07] a restore from before the first order skips issued addresses', async () => {
  const dataDir = makeTemporaryDirectory();
  try {
    await runDbToSuccess(['restore', early], dataDir);
    const again = join(folder, 'early again');
    await runDbToSuccess(['backup', again], dataDir);
    assert.equal(readNextIndex(await readLines(again)), 10_000);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

/** As the page downloads it. */
async function download(passphrase: string): Promise<Response> {
  const login = { username: 'owner', password: 'crypto-market' };
  const token = textAt((await shop.api('POST', '/users/login', { body: login })).body, 'tokens', 'accessToken');
  return fetch(`${shop.url}/api/exports/backup`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ passphrase }),
  });
}

test('[PAY-07] an owner downloads an encrypted backup, and the command restores it', async () => {
  const passphrase = 'four green apples in a row';
  await order(shop, 'before');
  const beside = join(folder, 'beside');
  await runDbToSuccess(['backup', beside], shop.dataDir);
  const refused = await download('too short');
  assert.deepEqual([refused.status, valueAt(await refused.json(), 'error', 'code')], [400, 'invalid']);
  const response = await download(passphrase);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-disposition') ?? '', /filename="[\w-]+-\d{4}-\d\d-\d\d\.backup"/);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.ok(!bytes.includes('alice'));
  const downloaded = join(folder, 'downloaded.backup');
  writeFileSync(downloaded, bytes);

  const dataDir = makeTemporaryDirectory();
  try {
    const unread = await runDb(['restore', downloaded], dataDir);
    assert.equal(unread.code, 1);
    assert.match(unread.output, /This backup is encrypted\. Set BACKUP_PASSPHRASE/);
    const wrong = await runDb(['restore', downloaded], dataDir, `${passphrase}!`);
    assert.match(
      wrong.output,
      /^The passphrase is wrong, or this backup is damaged or truncated\. Nothing was restored\.$/m,
    );
    writeFileSync(`${downloaded}.cut`, bytes.subarray(0, -100));
    assert.match((await runDb(['restore', `${downloaded}.cut`], dataDir, passphrase)).output, /Nothing was restored/);
    assert.match(await runDbToSuccess(['restore', downloaded], dataDir, passphrase), /Restored \d+ rows of /);
    const again = join(folder, 'downloaded again');
    await runDbToSuccess(['backup', again], dataDir);
    const back = await readLines(again);
    const orders = (await readLines(beside)).filter((line) => line.startsWith('orders R'));
    assert.ok(orders.length > 0);
    for (const line of orders) assert.ok(back.includes(line), line.slice(0, 80));
    assert.ok(
      !back.some((line) => line.startsWith('backups R') && line.includes('"download"')),
      'not complete yet then',
    );
    const now = join(folder, 'with record');
    await runDbToSuccess(['backup', now], shop.dataDir);
    const recorded = await readLines(now);
    assert.ok(recorded.some((line) => line.startsWith('backups R') && line.includes('"download"')));
    assert.ok(recorded.some((line) => line.startsWith('audit_entries R') && line.includes('"report.exported"')));
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('a backup overwrites no file, a restore no database with data', async () => {
  const again = await runDb(['backup', file], shop.dataDir);
  assert.deepEqual([again.code, /exists already/.test(again.output)], [1, true], again.output);
  const beside = await runDb(['restore', file], shop.dataDir);
  assert.equal(beside.code, 1, beside.output);
  assert.doesNotMatch(beside.output, /\n\s+at |Error:/, 'the message has no stack trace');
  assert.equal((await shop.api('GET', '/products?limit=1')).status, 200);
});

test('refuses damaged, cut, newer and foreign backups without leaving data', async () => {
  const text = gunzipSync(await readFile(file)).toString();
  const lines = text.split('\n');
  const paidRow = lines.findIndex((line) => line.startsWith('R') && line.includes('"paid"'));
  assert.ok(paidRow > 0);
  const bad: readonly (readonly [string, Buffer, RegExp])[] = [
    ['cut', (await readFile(file)).subarray(0, 20_000), /damaged or truncated/],
    ['short', gzipSync(lines.slice(0, -2).join('\n')), /damaged or truncated/],
    [
      'changed',
      gzipSync(lines.with(paidRow, lines[paidRow]?.replace('"paid"', '"pending"') ?? '').join('\n')),
      /damaged or truncated/,
    ],
    ['nothing', Buffer.from('hello'), /damaged|not a backup/],
    ['other', gzipSync('{"backup":"another"}\n'), /not a backup of a shop/],
    ['later', gzipSync(text.replace('"format":1', '"format":2')), /newer release/],
    [
      'unknown',
      gzipSync(text.replace(/"migrations":\[/, '"migrations":[{"number":1,"name":"x","sha256":"y"},')),
      /does not know. Restore it with a newer release/,
    ],
  ];
  const dataDir = makeTemporaryDirectory();
  try {
    for (const [name, bytes, words] of bad) {
      const damaged = join(folder, name);
      writeFileSync(damaged, bytes);
      const { code, output } = await runDb(['restore', damaged], dataDir);
      assert.equal(code, 1, `${name}: ${output}`);
      assert.match(output, words, name);
      assert.doesNotMatch(output, /\n\s+at /, name);
    }
    assert.match((await runDb(['restore', join(folder, 'absent')], dataDir)).output, /There is no file/);
    await runDbToSuccess(['restore', file], dataDir);
    assert.match(await runDbToSuccess(['status'], dataDir), /orders\b/);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

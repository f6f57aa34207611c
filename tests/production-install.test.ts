/**
 * Installs without the development packages build, start and sell: one by the steps of the image, and its update to
 * another folder by those of the manual.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chownSync, cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import './support/built-pages.ts';
import { createApiClient } from './support/api-client.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { findFirstProduct } from './support/new-order.ts';
import { textAt } from './support/read-json.ts';
import { startShopProcess } from './support/shop-process.ts';
import type { ShopProcess } from './support/shop-process.ts';
import { BILLING } from './support/stress-buyer.ts';
import { makeTemporaryDirectory } from './support/template.ts';
import { waitUntil } from './support/wait-until.ts';

/** Of the user `nobody`, where the tests run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const base = makeTemporaryDirectory();
const first = path.join(base, 'srv shop');
const second = path.join(base, 'srv shop-v2');
const dataDir = path.join(base, 'data');

/** What the image copies; node_modules and builds are not among it. */
const COPIED = ['src', 'db', 'public', 'scripts', 'docs', 'package.json', 'package-lock.json', '.npmrc'];

before(() => {
  // Where this user's npm finds the registry.
  const own = path.join(os.homedir(), '.npmrc');
  if (existsSync(own)) cpSync(own, path.join(base, '.npmrc'));
  for (const project of [first, second]) {
    mkdirSync(project);
    for (const name of [...COPIED, ...globSync(['*.config.ts', 'tsconfig*.json'])])
      cpSync(name, path.join(project, name), { recursive: true });
  }
  if (!isRoot) return;
  for (const name of ['.', ...globSync(['.npmrc', '*/', '*/**'], { cwd: base })])
    chownSync(path.join(base, name), NOBODY, NOBODY);
});
after(() => rm(base, { recursive: true, force: true }));

/** The commands of the Dockerfile's first stage. */
function listImageCommands(): readonly string[] {
  const [stage = ''] = readFileSync('deploy/Dockerfile', 'utf8')
    .split(/^FROM .*$/m)
    .slice(1);
  return [...stage.matchAll(/^RUN (.+)$/gm)].map(([, command = '']) => command);
}

/** What the manual runs in the folder of a new release. */
function findUpdateCommand(): string {
  const [, command] = /^ {4}cd \/srv\/shop-v2 && (.+)$/m.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  return command ?? assert.fail('the manual has no command for the folder of a release');
}

async function run(project: string, command: string): Promise<void> {
  const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', command], {
    cwd: project,
    env: {
      ...process.env,
      HOME: base,
      // A parent npm names its own.
      npm_config_cache: path.join(base, '.npm'),
      npm_config_userconfig: path.join(base, '.npmrc'),
      NODE_ENV: 'production',
      NODE_TEST_CONTEXT: undefined,
    },
    maxBuffer: 16 * 1024 * 1024,
    ...user,
  });
  // The build prints its warnings to standard error.
  assert.equal(stderr, '', command);
  assert.doesNotMatch(stdout, /warn/i, command);
  if (command.includes('npm run build')) assert.match(stdout, /^Building the shop … done in [\d.]+ s$/m);
}

const start = (project: string): Promise<ShopProcess> =>
  startShopProcess(dataDir, { NODE_ENV: 'production' }, { project, ...user });

/** A new customer opens a page and buys. Returns how to read the paid order. */
async function buy({ url }: ShopProcess, username: string): Promise<{ token: string; order_id: string }> {
  const api = createApiClient(url);
  const page = await fetch(`${url}/catalog`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Explore our catalog of Different Devices/);
  const token = await createStockBuyer({ api }, username, await findFirstProduct({ api }));
  const placed = await api('POST', '/cart/checkout', { token, body: BILLING });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const order_id = textAt(placed.body, 'order', 'id');
  await api('POST', '/dev/pay', { body: { order_id } });
  await api('POST', '/dev/mine', { body: { blocks: 6 } });
  await waitUntil(async () => (await readStatus(url, token, order_id)) === 'paid');
  return { token, order_id };
}

async function readStatus(url: string, token: string, orderId: string): Promise<string> {
  const { body } = await createApiClient(url)('GET', `/orders/${orderId}`, { token });
  return textAt(body, 'order', 'payment_status');
}

test('[OPS-33] the steps of the image and of an update build shops that sell', { timeout: 900_000 }, async (t) => {
  const commands = listImageCommands();
  assert.match(commands.join('\n'), /npm ci --omit=dev\nnpm run build/);
  for (const command of commands) await run(first, command);
  const old = await start(first);
  const bought = await buy(old, 'first-buyer');
  await old.stop();

  await run(second, findUpdateCommand());
  const updated = await start(second);
  t.after(() => updated.stop());
  assert.equal(await readStatus(updated.url, bought.token, bought.order_id), 'paid');
  await buy(updated, 'second-buyer');
});

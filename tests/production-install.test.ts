/** An install without the development packages, by the steps of the image, builds, starts and sells. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chownSync, cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { createApiClient } from './support/api-client.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { findFirstProduct } from './support/new-order.ts';
import { textAt } from './support/read-json.ts';
import { startShopProcess } from './support/shop-process.ts';
import { BILLING } from './support/stress-buyer.ts';
import { makeTemporaryDirectory } from './support/template.ts';
import { waitUntil } from './support/wait-until.ts';

/** Of the user `nobody`, where the tests run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
const base = makeTemporaryDirectory();
const project = path.join(base, 'srv shop');

/** What the image copies; node_modules and builds are not among it. */
const COPIED = ['src', 'db', 'public', 'scripts', 'docs', 'package.json', 'package-lock.json', '.npmrc'];

before(() => {
  mkdirSync(project);
  // Where this user's npm finds the registry.
  const own = path.join(os.homedir(), '.npmrc');
  if (existsSync(own)) cpSync(own, path.join(base, '.npmrc'));
  for (const name of [...COPIED, ...globSync(['*.config.ts', 'tsconfig*.json'])])
    cpSync(name, path.join(project, name), { recursive: true });
  if (!isRoot) return;
  for (const name of ['.', '.npmrc'])
    if (existsSync(path.join(base, name))) chownSync(path.join(base, name), NOBODY, NOBODY);
  for (const name of globSync('**', { cwd: project })) chownSync(path.join(project, name), NOBODY, NOBODY);
  chownSync(project, NOBODY, NOBODY);
});
after(() => rm(base, { recursive: true, force: true }));

/** The commands of the Dockerfile's first stage. */
function listCommands(): readonly string[] {
  const [stage = ''] = readFileSync('deploy/Dockerfile', 'utf8')
    .split(/^FROM .*$/m)
    .slice(1);
  return [...stage.matchAll(/^RUN (.+)$/gm)].map(([, command = '']) => command);
}

const run = (command: string) =>
  promisify(execFile)('/bin/sh', ['-c', command], {
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

test('[OPS-21] the steps of the image build a shop that sells', { timeout: 600_000 }, async (t) => {
  const commands = listCommands();
  assert.match(commands.join('\n'), /npm ci --omit=dev\nnpm run build/);
  const output: string[] = [];
  for (const command of commands) {
    const { stdout, stderr } = await run(command);
    assert.equal(stderr, '', command);
    output.push(stdout);
  }
  assert.doesNotMatch(output.join('\n'), /warn/i);
  // The build prints its warnings, if there are any, to standard error: see above.
  assert.match(output.at(-1) ?? '', /^Building the shop … done in [\d.]+ s$/m);

  const shop = await startShopProcess(path.join(base, 'data'), { NODE_ENV: 'production' }, { project, ...user });
  t.after(() => shop.stop());
  const api = createApiClient(shop.url);
  const page = await fetch(`${shop.url}/catalog`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Explore our catalog of Different Devices/);
  const token = await createStockBuyer({ api }, 'first-buyer', await findFirstProduct({ api }));
  const placed = await api('POST', '/cart/checkout', { token, body: BILLING });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  const order_id = textAt(placed.body, 'order', 'id');
  await api('POST', '/dev/pay', { body: { order_id } });
  await api('POST', '/dev/mine', { body: { blocks: 6 } });
  await waitUntil(async () => {
    const { body } = await api('GET', `/orders/${order_id}`, { token });
    return textAt(body, 'order', 'payment_status') === 'paid';
  });
});

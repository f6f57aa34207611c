/**
 * The merchant's commands: wallet check before the first order, address range and accounting
 * export later.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { readAccountKey } from '#src/platform/bitcoin/account-key.ts';
import { addChecksum } from '#src/platform/bitcoin/descriptor.ts';
import { listAuditEntries } from '#src/shop/audit-log/service.ts';
import { textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { makeTemporaryDirectory } from './support/template.ts';
import { enterPassword, readPendingLogin, setUpApp } from './support/totp-app.ts';

const ZPUB =
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs';
const BIP86_XPUB =
  'xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ';

let shop: TestShop;
before(async () => {
  shop = await startTestShop({ settings: { WALLET_SCRIPT: 'p2tr' } });
});
after(() => shop.stop());

interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(
  script: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  input = '',
): Promise<CommandResult> {
  const child = spawn(process.execPath, ['scripts/run.mjs', script, ...args], {
    env: { PATH: process.env['PATH'], BITCOIN_XPUB: '', ...settings },
    timeout: 120_000,
  });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  child.stdin.end(input);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}
const check = (settings: Readonly<Record<string, string>>, input = ''): Promise<CommandResult> =>
  run('wallet', ['check'], settings, input);

test('[PAY-07] wallet check prints network, fingerprint, descriptor and five addresses', async () => {
  const read = readAccountKey(ZPUB, 'mainnet');
  assert.ok(read.ok);
  for (const result of [
    await check({ BITCOIN_NETWORK: 'mainnet', BITCOIN_XPUB: ZPUB }),
    await check({ BITCOIN_NETWORK: 'mainnet' }, `${ZPUB}\n`),
    await check({ BITCOIN_NETWORK: 'mainnet' }, `${read.account.descriptor}\r\n`),
  ]) {
    assert.deepEqual([result.code, result.err], [0, '']);
    assert.match(result.out, /^Network +mainnet$/m);
    assert.match(result.out, /^Fingerprint +fd13aac9 of the account/m);
    assert.ok(result.out.includes(read.account.descriptor));
    assert.match(result.out, /^Range +0 to 99/m);
    for (let index = 0; index < 5; index += 1) {
      assert.ok(result.out.includes(`  0/${index}  ${read.account.deriveAddress(index).address}\n`));
    }
  }
  const taproot = await check({ BITCOIN_NETWORK: 'mainnet', WALLET_SCRIPT: 'p2tr', BITCOIN_XPUB: BIP86_XPUB });
  assert.match(taproot.out, / {2}0\/0 {2}bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr\n/);
  assert.match(taproot.out, /taproot \(BIP86\)/);
});

test('[PAY-07] wallet check refuses wrong keys without printing them', async () => {
  const seedWords = 'abandon\n'.repeat(11) + 'about\n';
  const xprv = `xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi`;
  const ypub =
    'ypub6Ww3ibxVfGzLrAH1PNcjyAWenMTbbAosGNB6VvmSEgytSER9azLDWCxoJwW7Ke7icmizBMXrzBx9979FfaHxHcrArf3zbeJJJUZPf663zsP';
  const cases: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    [seedWords, {}, /PRIVATE/],
    [xprv, { BITCOIN_NETWORK: 'mainnet' }, /PRIVATE/],
    [`wpkh(${xprv}/0/*)`, { BITCOIN_NETWORK: 'mainnet' }, /PRIVATE/],
    [ypub, { BITCOIN_NETWORK: 'mainnet' }, /BIP49.*BIP84/],
    [ZPUB, {}, /belongs to mainnet, but the network is regtest.*BITCOIN_NETWORK/],
    [ZPUB, { BITCOIN_NETWORK: 'mainnet', WALLET_SCRIPT: 'p2tr' }, /BIP86/],
    [`wpkh(${ZPUB}/0/*)#aaaaaaaa`, { BITCOIN_NETWORK: 'mainnet' }, /checksum/],
    [`${ZPUB.slice(0, -1)}t`, { BITCOIN_NETWORK: 'mainnet' }, /checksum/],
    [ZPUB, { BITCOIN_NETWORK: 'main' }, /BITCOIN_NETWORK: must be one of/],
    ['', {}, /No key was given/],
  ];
  for (const [input, settings, message] of cases) {
    const { code, out, err } = await check(settings, input);
    assert.deepEqual([code, out], [1, ''], err);
    assert.match(err, message);
    assert.doesNotMatch(err, /abandon|\n\s+at /);
    if (input !== '') assert.ok(!err.includes(input.trim().slice(0, 20)));
  }
});

test('wrong arguments exit with 2 and print the usage', async () => {
  const wrong: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    ['wallet', [[], ['--help'], ['check', ZPUB], ['show']]],
    ['staff', [[], ['--help'], ['boss', 'x'], ['owner'], ['list', 'x'], ['owner', 'x', 'y']]],
    ['accounting', [['--help'], ['--from', 'yesterday'], ['--form', '2001-01-01'], ['x']]],
    ['db', [[], ['--help'], ['drop'], ['backup'], ['restore', 'a', 'b'], ['seed', '--products', 'many']]],
    ['stock', [[], ['--help'], ['list', 'x'], ['set', 'x'], ['set', 'x', '-1'], ['set', 'x', '1', '2'], ['unlimited']]],
    ['start', [['--help'], ['--port', '1']]],
  ];
  for (const [script, calls] of wrong) {
    for (const args of calls) {
      const { code, out, err } = await run(script, args, {});
      assert.deepEqual([code, out, err.slice(0, 7)], [2, '', 'Usage: '], `${script} ${args.join(' ')}: ${err}`);
      assert.doesNotMatch(err, /\n\s+at |Error/);
    }
  }
});

test('a live seed adds no accounts, sales, reviews or promo codes', async () => {
  const dataDir = makeTemporaryDirectory();
  const live = {
    DATA_DIR: dataDir,
    SHOP_MODE: 'live',
    PUBLIC_URL: 'https://shop.example',
    BITCOIN_NETWORK: 'mainnet',
    BITCOIN_XPUB: ZPUB,
    CHAIN_SOURCE: 'esplora',
    RATE_SOURCE: 'live',
    SMTP_URL: 'smtp://127.0.0.1:25',
  };
  const file = join(dataDir, 'none.gz');
  const none = await run('db', ['backup', file], live);
  assert.deepEqual([none.code, existsSync(file)], [1, false], 'no backup file without a database');
  assert.match(none.err, /no database yet/);
  const seeded = await run('db', ['seed'], live);
  assert.deepEqual([seeded.code, seeded.err], [0, ''], seeded.err);
  assert.match(seeded.out, /products/);
  const { out } = await run('db', ['status'], live);
  assert.match(out, /^ *[1-9]\d* {2}products$/m);
  assert.match(out, /^ *0 {2}users$/m);
  // No sales figures, no reviews.
  for (const table of ['product_sales', 'reviews', 'promotions'])
    assert.match(out, new RegExp(`^ *0 {2}${table}$`, 'm'));
  for (const args of [
    ['reset', '--yes'],
    ['seed', '--products', '5'],
  ]) {
    const refused = await run('db', args, live);
    assert.deepEqual([refused.code, refused.out], [1, '']);
    assert.match(refused.err, /demo mode only/);
  }
});

test('[PAY-07] [PAY-09] exports address range and payments while the shop runs', async () => {
  const settings = { ...shop.place, WALLET_SCRIPT: 'p2tr' };
  const empty = await run('wallet', ['export'], settings);
  assert.match(empty.out, /^Issued +none yet$/m, empty.err);
  const credentials = { username: 'taproot', password: 'a long enough password' };
  await shop.api('POST', '/users/register', { body: { ...credentials, email: 'taproot@example.com' } });
  const signedIn = await shop.api('POST', '/users/login', { body: credentials });
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  const product = textAt((await shop.api('GET', '/products?limit=1&q=iphone')).body, 0, 'id');
  await shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 1 } });
  const checkout = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  const address = textAt(checkout.body, 'order', 'payment', 'address');
  assert.match(address, /^bcrt1p/);
  const paid = await shop.api('POST', '/dev/pay', { body: { order_id: textAt(checkout.body, 'order', 'id') } });
  await shop.api('POST', '/dev/mine', { body: { blocks: 6 } });
  const open = await shop.api('GET', `/orders/${textAt(checkout.body, 'order', 'id')}`, { token });
  assert.equal(textAt(open.body, 'order', 'payment_status'), 'paid');

  const { code, out, err } = await run('wallet', ['export'], settings);
  assert.deepEqual([code, err], [0, '']);
  assert.match(out, /^Issued +1, the last at index \d+/m);
  const last = Number(/^Range +0 to (\d+), for both descriptors$/m.exec(out)?.[1]);
  const index = Number(/index (\d+)/.exec(out)?.[1]);
  assert.ok(last >= index + 100);
  const request: unknown = JSON.parse(/importdescriptors '(.+)'$/m.exec(out)?.[1] ?? '');
  const descriptor = textAt(request, 0, 'desc');
  const [, key = ''] = /^tr\((\[[0-9a-f]{8}\/86h\/1h\/0h\]tpub\w+)\/0\/\*\)#\w+$/.exec(descriptor) ?? [];
  const read = readAccountKey(key, 'regtest', 'p2tr');
  assert.ok(read.ok);
  assert.equal(read.account.deriveAddress(index).address, address, 'the exported range contains the paid address');
  assert.equal(descriptor, addChecksum(`tr(${key}/0/*)`));
  assert.equal(textAt(request, 1, 'desc'), addChecksum(`tr(${key}/1/*)`));
  assert.match(out, new RegExp(`"range":\\[0,${last}\\],"timestamp":\\d+,"internal":true`));

  const books = await run('accounting', [], settings);
  assert.equal(books.code, 0, books.err);
  const [head = '', line = '', ...more] = books.out.trimEnd().split('\r\n');
  assert.deepEqual(more, []);
  const cells = Object.fromEntries(head.split(',').map((name, at) => [name, line.split(',')[at]]));
  assert.equal(cells['txid'], textAt(paid.body, 'txid'));
  assert.deepEqual([cells['order_status'], cells['confirmations'], cells['rate_source']], ['paid', '6', 'fixed']);
  assert.match(books.err, new RegExp(`^1 payment, ${cells['btc']} BTC, \\$${cells['usd']} `));
  const none = await run('accounting', ['--from', '2001-01-01', '--to', '2001-12-31'], settings);
  assert.equal(none.out.trimEnd().split('\r\n').length, 1);

  // The other script is another account, and the message names the account whose addresses are
  // missing.
  const other = await run('wallet', ['export'], shop.place);
  assert.match(other.out, /^Issued +none yet$/m);
  assert.match(other.out, /^1 addresses?, up to index \d+, .*another account \(p2tr:[0-9a-f]{40}\)/m);
});

test('[OPS-01] the staff command changes roles from the next call on', async () => {
  const at = shop.place;
  const name = 'Mar-Cel';
  const password = 'correct horse';
  await shop.api('POST', '/users/register', { body: { username: name, email: 'marcel@example.com', password } });
  const logIn = async (): Promise<string> =>
    textAt(
      (await shop.api('POST', '/users/login', { body: { username: name, password } })).body,
      'tokens',
      'accessToken',
    );
  let token = await logIn();
  const requestStatus = async (): Promise<number> => (await shop.api('GET', '/support/tickets', { token })).status;

  assert.equal(await requestStatus(), 403);
  const promoted = await run('staff', ['owner', 'mar-cel'], at);
  assert.match(
    promoted.out,
    /^mar-cel is owner now\.\nA promotion ends the present sessions: mar-cel logs in again\./m,
  );
  assert.equal(await requestStatus(), 401, 'the session of the customer has ended');
  token = await logIn();
  assert.equal(await requestStatus(), 200);
  assert.match((await run('staff', ['list'], at)).out, /^owner +Mar-Cel, marcel@example\.com$/m);
  assert.equal((await run('staff', ['customer', name], at)).code, 0);
  assert.equal(await requestStatus(), 401, 'the session has ended');
  assert.doesNotMatch((await run('staff', ['list'], at)).out, /marcel/);

  const nobody = await run('staff', ['owner', 'no-one-at-all'], at);
  assert.deepEqual([nobody.code, nobody.out], [1, '']);
  assert.match(nobody.err, /no account no-one-at-all/);
});

test('[OPS-17] the staff command resets a lost second factor', async () => {
  const at = shop.place;
  const username = 'ines';
  const body = { username, email: 'ines@example.com', password: 'crypto-market' };
  await shop.api('POST', '/users/register', { body });
  assert.match((await run('staff', ['support', username], at)).out, /^ines is support now\.$/m);
  const missing = await run('staff', ['reset-2fa', username], at);
  assert.deepEqual([missing.code, /ines has no second factor/.test(missing.err)], [1, true]);
  const { token } = await setUpApp(shop, username);
  readPendingLogin(await enterPassword(shop, username));
  const reset = await run('staff', ['reset-2fa', username], at);
  assert.equal(reset.code, 0, reset.err);
  assert.match(reset.out, /^ines is logged out everywhere/m);
  assert.equal((await shop.api('GET', '/users/user', { token })).status, 401);
  assert.equal((await enterPassword(shop, username)).status, 200);
  const { entries } = await runWithShopDatabase(shop, (db) =>
    listAuditEntries(db, { action: 'account.second-factor-reset' }, { limit: 1, offset: 0 }),
  );
  assert.deepEqual([entries[0]?.actorKind, entries[0]?.details?.actorName], ['command', 'npm run staff']);
  assert.equal((await run('staff', ['reset-2fa', 'no-one-at-all'], at)).code, 1);
});

test('[OPS-08] the stock command takes effect at the next checkout', async () => {
  const at = shop.place;
  const products = (await shop.api('GET', '/products?limit=1&q=airtag')).body;
  const [product, slug] = [textAt(products, 0, 'id'), textAt(products, 0, 'slug')];
  const credentials = { username: 'stockist', password: 'a long enough password' };
  await shop.api('POST', '/users/register', { body: { ...credentials, email: 'stockist@example.com' } });
  const signedIn = await shop.api('POST', '/users/login', { body: credentials });
  const token = textAt(signedIn.body, 'tokens', 'accessToken');
  await shop.api('POST', '/cart/add', { token, body: { product_id: product, quantity: 2 } });

  const { body: detail } = await shop.api('GET', `/products/${slug}`);
  const [sku, other] = [textAt(detail, 'variants', 0, 'sku'), textAt(detail, 'variants', 1, 'sku')];
  assert.equal((await run('stock', ['set', sku, '1'], at)).out, `${sku} has 1 available.\n`);
  assert.equal((await shop.api('POST', '/cart/checkout', { token, body: BILLING })).status, 409);
  assert.equal(
    (await run('stock', ['set', slug, '5'], at)).out,
    `Each of the 2 variants of ${slug} has 5 available.\n`,
  );
  assert.equal((await shop.api('POST', '/cart/checkout', { token, body: BILLING })).status, 201);
  assert.equal(
    (await run('stock', ['list'], at)).out,
    `      3  ${slug}, SKU ${sku}, 2 reserved by orders\n      5  ${slug}, SKU ${other}, 0 reserved by orders\n`,
  );
  const unlimited = `Each of the 2 variants of ${slug} has unlimited stock.\n`;
  assert.equal((await run('stock', ['unlimited', slug], at)).out, unlimited);
  assert.match((await run('stock', ['list'], at)).out, /^No product has limited stock/);

  const unknown = await run('stock', ['set', 'no-such-thing', '1'], at);
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  assert.match(unknown.err, /no product or SKU no-such-thing/);
});

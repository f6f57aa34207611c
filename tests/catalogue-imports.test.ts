/** Import and export of the catalogue over HTTP: access, hostile files. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import './support/built-pages.ts';
import { checkCsv, logIn, readImport, uploadCsv, waitForState } from './support/imports/upload.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
let staff: string;
before(async () => {
  shop = await startTestShop();
  staff = await logIn(shop, 'staff');
});
after(() => shop.stop());

const readExport = async (): Promise<string> =>
  String((await shop.api('GET', '/exports/products', { token: staff })).body);

const findProduct = async (slug: string): Promise<string | null> => {
  const { status, body } = await shop.api('GET', `/products/${slug}`);
  return status === 200 ? textAt(body, 'name') : null;
};

const HEAD = ['Handle', 'Title', 'Vendor', 'Type', 'Variant Price', 'Image Src'];
const createFile = (rows: readonly (readonly string[])[]): string => [HEAD, ...rows].map(formatCsvLine).join('');

test('[OPS-12] customers and guests can neither import nor export', async () => {
  const customer = await logIn(shop, 'alice');
  for (const [token, status] of [
    [customer, 403],
    [null, 401],
  ] as const) {
    assert.equal((await uploadCsv(shop, token, 'Handle\n')).status, status);
    const asked = token === null ? {} : { token };
    assert.equal((await shop.api('GET', '/exports/products', asked)).status, status);
  }
  for (const path of ['/admin/import', '/admin/import/01a206c0-8cc9-7080-b2ed-ca2e849eff25']) {
    const response = await fetch(`${shop.url}${path}`, { redirect: 'manual' });
    assert.equal(response.status, 302, path);
  }
});

test('[OPS-12] staff import a file and every page shows it', async () => {
  const file = createFile([
    ['walnut-stand', 'Walnut Stand', 'Oakley & Co', 'Stands', '39.00', '/images/products/airtag/front.avif'],
  ]);
  const checked = await checkCsv(shop, staff, file);
  assert.equal(checked.state, 'checked');
  assert.equal(await findProduct('walnut-stand'), null);
  const changes = await shop.api('GET', `/imports/${checked.id}/changes`, { token: staff });
  assert.equal(textAt(changes.body, 'products', 0, 'name'), 'Walnut Stand');
  assert.equal((await shop.api('POST', `/imports/${checked.id}/apply`, { token: staff, body: {} })).status, 200);
  await waitForState(shop, staff, checked.id, 'applied');
  // The processes show it within a second of the commit.
  await waitUntil(async () => (await findProduct('walnut-stand')) === 'Walnut Stand');
  assert.match(await (await fetch(`${shop.url}/catalog/product/walnut-stand`)).text(), /Walnut Stand/);
  const again = await shop.api('POST', `/imports/${checked.id}/apply`, { token: staff, body: {} });
  assert.deepEqual([again.status, textAt(again.body, 'error', 'code')], [409, 'not-checked']);
});

test('[OPS-31] staff decide to import the products without errors', async () => {
  const file = createFile([
    ['oak-stand', 'Oak Stand', 'Oakley & Co', 'Stands', '29.00', '/images/products/airtag/front.avif'],
    ['ash-stand', 'Ash Stand', 'Oakley & Co', 'Stands', 'cheap', ''],
  ]);
  const { id, found } = await checkCsv(shop, staff, file);
  assert.deepEqual(
    [textAt(found, 'state'), numberAt(found, 'created_products'), numberAt(found, 'left_out_products')],
    ['checked', 1, 1],
  );
  const apply = (body: object) => shop.api('POST', `/imports/${id}/apply`, { token: staff, body });
  for (const body of [{}, { leave_out: false }]) {
    const refused = await apply(body);
    assert.deepEqual([refused.status, textAt(refused.body, 'error', 'code')], [409, 'has-errors']);
    assert.match(textAt(refused.body, 'error', 'message'), /^1 product of the file has errors\./);
  }
  assert.equal(textAt(await readImport(shop, staff, id), 'state'), 'checked');
  assert.equal((await apply({ leave_out: true })).status, 200);
  await waitForState(shop, staff, id, 'applied');
  await waitUntil(async () => (await findProduct('oak-stand')) === 'Oak Stand');
  assert.equal(await findProduct('ash-stand'), null);
  const { body } = await shop.api('GET', `/imports/${id}/problems?severity=error&q=ash`, { token: staff });
  assert.deepEqual(listAt(body, 'problems'), [
    {
      severity: 'error',
      line: 3,
      column: 'Variant Price',
      product: 'ash-stand',
      message: '“cheap” is not a price such as 1299.00',
    },
  ]);
});

test('[OPS-12] the export downloads as a file and respects its filter', async () => {
  const { headers } = await shop.api('GET', '/exports/products', { token: staff });
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(headers.get('content-disposition') ?? '', /filename="products.csv"/);
  const filtered = await shop.api('GET', '/exports/products?q=AirTag&published=yes', { token: staff });
  assert.match(String(filtered.body), /\r\nairtag,/);
  assert.doesNotMatch(String(filtered.body), /\r\niphone/);
  const none = await shop.api('GET', '/exports/products?q=%25', { token: staff });
  assert.equal(String(none.body).trimEnd().split('\r\n').length, 1);
});

test('[OPS-12] an import whose check did not finish shows no counts', async (t) => {
  const { id } = await checkCsv(shop, staff, createFile([['never', 'Never', 'Acme', 'Stands', '5', '']]));
  const client = new Client({ ...(await shop.getConnection()) });
  await client.connect();
  t.after(() => client.end());
  const setState = (state: string, lines: number, message: string | null) =>
    client.query(
      'update catalogue_imports set state = $2, lines = $3, created_products = $3, message = $4 where id = $1',
      [id, state, lines, message],
    );
  const login = await shop.api('POST', '/users/login', {
    headers: { 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'same-origin' },
    body: { username: 'staff', password: 'crypto-market' },
  });
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  const read = async (path: string): Promise<string> =>
    (await fetch(`${shop.url}${path}`, { headers: { cookie } })).text();
  await setState('cancelled', 1, null);
  assert.match(await read(`/admin/import/${id}`), /New products/);
  await setState('failed', 0, 'The check took longer than 5 minutes, so it was stopped');
  const page = await read(`/admin/import/${id}`);
  assert.match(page, /The check took longer than 5 minutes/);
  assert.doesNotMatch(page, /New products/);
  assert.doesNotMatch(await read('/admin/import'), /0 new, 0 changed/);
});

test('[OPS-12] a cancelled import changes nothing, and one runs at a time', async () => {
  const client = new Client({ ...(await shop.getConnection()) });
  await client.connect();
  const exported = await readExport();
  const checked = await checkCsv(shop, staff, createFile([['never', 'Never', 'Acme', 'Stands', '5', '']]));
  await client.query('begin; lock table product_values in share mode');
  await shop.api('POST', `/imports/${checked.id}/apply`, { token: staff, body: {} });
  await waitUntil(async () => textAt(await readImport(shop, staff, checked.id), 'phase') === 'writing');
  const second = await uploadCsv(shop, staff, createFile([]));
  assert.deepEqual([second.status, textAt(second.body, 'error', 'code')], [409, 'import-running']);
  assert.equal((await shop.api('POST', `/imports/${checked.id}/cancel`, { token: staff })).status, 200);
  await client.query('rollback');
  await client.end();
  const next = await checkCsv(shop, staff, createFile([['other', 'Other', 'Acme', 'Stands', '5', '']]));
  assert.equal(next.state, 'checked');
  assert.equal(textAt(await readImport(shop, staff, checked.id), 'state'), 'cancelled');
  assert.equal(await readExport(), exported);
  await shop.api('POST', `/imports/${next.id}/cancel`, { token: staff });
});

const MEGABYTE = 1024 * 1024;
const HOSTILE: Readonly<Record<string, () => string | Uint8Array>> = {
  'twenty megabytes of quotes': () => '"'.repeat(20 * MEGABYTE),
  'a million columns': () => ','.repeat(1_000_000),
  'a million columns in the second line': () => `Handle,Title\n${','.repeat(400_000)}`,
  NUL: () => 'Handle,Title\na,\u0000\n',
  'random bytes': () => Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7919) % 256),
  'a workbook': () => Uint8Array.from([0x50, 0x4b, 3, 4, 0, 0]),
  'no header': () => 'a,b,c\n1,2,3\n',
  'ten million lines': () => 'Handle\n'.repeat(2_000_000),
  'an open quote': () => `Handle,Title\na,"${'x,\n'.repeat(1_000_000)}`,
  formulas: () => createFile([['=1+1', '=cmd|x', '@SUM(1)', '+1', '=2+2', '-1']]),
  markup: () => createFile([['x', '<script>alert(1)</script>', '</title>', '<b>', 'NaN', 'data:text/html,x']]),
  'prototype keys': () => 'Handle,__proto__,constructor\na,b,c\n',
};
for (const [name, createHostile] of Object.entries(HOSTILE)) {
  test(`[OPS-12] refuses ${name} with a message`, async () => {
    const { id, state } = await checkCsv(shop, staff, createHostile());
    assert.equal(state, 'refused');
    const { body } = await shop.api('GET', `/imports/${id}/problems`, { token: staff });
    const [first] = listAt(body, 'problems');
    assert.equal(textAt(first, 'severity'), 'error');
    assert.ok(numberAt(first, 'line') >= 1 && textAt(first, 'message').length > 10);
  });
}

test('[OPS-12] refuses too large, empty and wrongly typed bodies', async () => {
  const large = await uploadCsv(shop, staff, 'x'.repeat(20 * MEGABYTE + 1)).catch(() => null);
  // The connection may be closed before the whole body is sent.
  if (large !== null) assert.equal(large.status, 413);
  assert.equal((await uploadCsv(shop, staff, '')).status, 400);
  assert.equal((await shop.api('POST', '/imports?filename=a.csv', { token: staff, body: {} })).status, 415);
  assert.equal((await uploadCsv(shop, staff, 'Handle\n', 'x'.repeat(201))).status, 400);
  assert.equal((await uploadCsv(shop, staff, 'Handle\n', ' ')).status, 400);
});

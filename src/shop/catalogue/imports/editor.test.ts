/** Imports follow the rules of the editor, of stock and of uploaded pictures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { openImportBench } from '../../../../tests/support/imports/import-bench.ts';
import type { ImportBench } from '../../../../tests/support/imports/import-bench.ts';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createStaffActor, staffActor } from '../../../../tests/support/staff-actor.ts';

const FRONT = '/images/products/airtag/front.avif';
const UPLOAD = `/images/uploads/${'b'.repeat(40)}.avif`;
const BASE = ['Handle', 'Title', 'Vendor', 'Type', 'Option1 Name', 'Option1 Value', 'Variant SKU', 'Variant Price'];
const createFile = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [[...BASE, 'Image Src', ...columns], ...rows].map(formatCsvLine).join('');
const createMug = (colour: string, sku: string, ...cells: readonly string[]): readonly string[] => [
  'mug',
  'Mug',
  'Acme',
  'Mugs',
  'Color',
  colour,
  sku,
  '8.00',
  ...cells,
];
const createPriceFile = (price: string): string =>
  createFile([], [createMug('Red', 'R', FRONT)]).replaceAll('8.00', price);

const STOCK = ['Variant Inventory Tracker', 'Variant Inventory Qty'];

const createStockFile = (red: readonly string[], blue: readonly string[]): string =>
  createFile(STOCK, [createMug('Red', 'R', FRONT, ...red), createMug('Blue', 'B', '', ...blue)]);

async function openBench(isLive = false): Promise<{ readonly db: Db; readonly bench: ImportBench }> {
  const { db } = await createTestDatabase();
  return { db, bench: await openImportBench(db, { isLive }) };
}

async function listStock(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', sku, coalesce(available::text, '-')) as line
    from product_variants left join variant_stock on variant_id = id order by position
  `.execute(db);
  return rows.map(({ line }) => line);
}

const NO_QUANTITY = '2 The file has no quantity, so the stock is not tracked';

/** Imports a file. Returns its notices. */
async function listNotices(bench: ImportBench, file: string): Promise<readonly string[]> {
  const checked = await bench.check(file);
  if (checked.createdProducts + checked.changedProducts > 0) await bench.apply(checked.id);
  else await bench.imports.cancel(checked.id, staffActor);
  const { rows } = await bench.imports.listProblems(checked.id, 1);
  return rows.map(({ line, message }) => `${line} ${message}`);
}

async function listHistory(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', sku, reason, coalesce(available_before::text, '-'), coalesce(available_after::text, '-'),
      note) as line
    from stock_history join product_variants variant on variant.id = variant_id order by stock_history.at, sku
  `.execute(db);
  return rows.map(({ line }) => line);
}

test('[OPS-12] [OPS-31] a file without quantities never sells a product out', async () => {
  const silent = createFile([], [createMug('Red', 'R', FRONT), createMug('Blue', 'B', '')]);
  const live = await openBench(true);
  assert.deepEqual(await listNotices(live.bench, silent), [NO_QUANTITY]);
  assert.deepEqual(await listStock(live.db), ['R -', 'B -']);
  const tracked = await openBench();
  const withTracker = createFile(STOCK.slice(0, 1), [createMug('Red', 'R', FRONT, 'shopify')]);
  assert.deepEqual(await listNotices(tracked.bench, withTracker), [NO_QUANTITY]);
  assert.deepEqual(await listStock(tracked.db), ['R -']);
  await tracked.bench.importFile(createFile(STOCK, [createMug('Red', 'R', FRONT, 'shopify', '3')]));
  assert.deepEqual(await listNotices(tracked.bench, withTracker), []);
  assert.deepEqual(await listStock(tracked.db), ['R 3']);
  const demo = await openBench();
  assert.equal((await demo.bench.importFile(silent)).state, 'applied');
  assert.deepEqual(await listStock(demo.db), ['R -', 'B -']);
  const explicit = await openBench(true);
  const file = createFile(STOCK, [createMug('Red', 'R', FRONT, '', ''), createMug('Blue', 'B', '', 'shopify', '4')]);
  assert.equal((await explicit.bench.importFile(file)).state, 'applied');
  assert.deepEqual(await listStock(explicit.db), ['R -', 'B 4']);
});

test('[OPS-31] a product of unknown weight is named where shipping depends on the weight', async () => {
  const mug = createMug('Red', 'R', FRONT);
  const file = createFile(
    ['Variant Grams'],
    [
      [...mug, '0.0'],
      ['cup', ...mug.slice(1, 6), 'C', '5', FRONT, '300'],
    ],
  );
  const { db } = await createTestDatabase();
  const unpriced = await openImportBench(db);
  assert.equal((await unpriced.check(file)).notices, 0);
  for (const [unknownWeight, meaning] of [
    ['heaviest', 'is shipped at the price of the heaviest order'],
    ['refuse', 'can’t be ordered'],
  ] as const) {
    const bench = unpriced.reopen({ unknownWeight });
    const checked = await bench.check(file);
    const { rows } = await bench.imports.listProblems(checked.id, 1);
    assert.deepEqual(
      rows.map(({ line, column, message }) => `${line} ${column}: ${message}`),
      [`2 Variant Grams: The weight is unknown. Where shipping depends on it, the product ${meaning}`],
    );
  }
});

test('[OPS-12] stock that an import changes is in the history', async () => {
  const { db, bench } = await openBench();
  await bench.importFile(createStockFile(['shopify', '5'], ['', '']));
  await bench.importFile(createStockFile(['shopify', '3'], ['shopify', '7']));
  await bench.importFile(createStockFile(['', ''], ['shopify', '7']));
  assert.deepEqual(await listHistory(db), [
    'R counted - 5 Import of products.csv',
    'B counted - 7 Import of products.csv',
    'R counted 5 3 Import of products.csv',
    'R counted 3 - Import of products.csv',
  ]);
  assert.deepEqual(await listStock(db), ['R -', 'B 7']);
});

test('[OPS-12] oversold stock is exported and imported unchanged', async () => {
  const { db, bench } = await openBench();
  await bench.importFile(createFile(STOCK, [createMug('Red', 'R', FRONT, 'shopify', '5')]));
  await sql`update variant_stock set available = -2`.execute(db);
  const exported = await bench.exportFile();
  assert.match(exported, /,shopify,'?-2,/);
  const checked = await bench.check(exported);
  assert.deepEqual([checked.errors, checked.changedProducts, checked.unchangedProducts], [0, 0, 1]);
});

test('[OPS-12] an import is recorded as an edit and discards drafts', async () => {
  const { db, bench } = await openBench();
  await bench.importFile(createFile([], [createMug('Red', 'R', FRONT), createMug('Blue', 'B', '')]));
  await sql`insert into product_drafts (product_id, content, saved_at) select id, '{}', now() from products`.execute(
    db,
  );
  const checked = await bench.check(
    createFile([], [createMug('Red', 'R', FRONT), createMug('Blue', 'B2', '')]).replaceAll('Mug,', 'Cup,'),
  );
  const problems = await bench.imports.listProblems(checked.id, 1);
  assert.deepEqual(
    problems.rows.map(({ severity, line, message }) => `${severity} ${line} ${message}`),
    ['notice 2 The product has saved changes that are not published. The import discards them'],
  );
  assert.equal((await bench.apply(checked.id)).state, 'applied');
  const { rows } = await sql<{ line: string }>`
    select concat_ws(' ', products.version, first_published_at is not null, edit.version, edit.fields, users.username,
      exists(select from product_drafts), exists(select from product_sales where product_id = products.id)) as line
    from products join product_edits edit on edit.product_id = products.id join users on users.id = edit.edited_by
    order by edit.version
  `.execute(db);
  assert.deepEqual(
    rows.map(({ line }) => line),
    ['2 t 1 {created} importer f t', '2 t 2 {name,variants} importer f t'],
  );
});

test('[OPS-12] an edit after the dry run refuses the import', async () => {
  const { db, bench } = await openBench();
  await bench.importFile(createFile([], [createMug('Red', 'R', FRONT)]));
  const checked = await bench.check(createFile([], [createMug('Red', 'R', FRONT)]).replaceAll('Mug,', 'Cup,'));
  // A saved draft changes the version alone.
  await sql`update products set version = version + 1`.execute(db);
  const applied = await bench.imports.apply(checked.id, createStaffActor(bench.userId));
  assert.ok(!applied.ok && applied.reason === 'outdated');
});

test('[OPS-12] uploads, own prices and untracked stock survive export and import', async () => {
  const { db, bench } = await openBench(true);
  const columns = [...STOCK, 'Image Alt Text', 'Variant Image', 'Shop / Value Images', 'Variant Barcode'];
  const values = JSON.stringify({ Color: { Red: [UPLOAD] } });
  await bench.importFile(
    createFile(columns, [
      createMug('Red', '=R', FRONT, 'shopify', '5', 'A "red" mug', UPLOAD, values, '4006381333931'),
      createMug('Blue', '@B', UPLOAD, '', '', '-1 mug', '', '', ''),
      createMug('Green', '+G', '', 'shopify', '0', '', '', '', ''),
    ]),
  );
  await sql`update product_variants set own_price_cents = 1234 where sku = '@B'`.execute(db);
  const exported = await bench.exportFile();
  for (const text of ["'=R", "'@B", "'+G", "'-1 mug", '12.34', `http://shop.test/api${UPLOAD}`]) {
    assert.ok(exported.includes(text), text);
  }
  const other = await openBench(true);
  const applied = await other.bench.importFile(exported);
  assert.deepEqual([applied.state, applied.notices], ['applied', 0]);
  assert.equal(await other.bench.exportFile(), exported);
  assert.equal((await other.bench.check(exported)).unchangedProducts, 1);
});

test('[OPS-12] of two imports at once one is refused', async () => {
  const { bench } = await openBench();
  const upload = () =>
    bench.imports.upload({ filename: 'a.csv', content: Buffer.from('Handle\n') }, createStaffActor(bench.userId));
  const uploaded = await Promise.all([upload(), upload(), upload()]);
  assert.equal(uploaded.filter((found) => found !== null).length, 1);
});

test('[OPS-12] of two checked imports of one product the second is refused', async () => {
  const { bench } = await openBench();
  await bench.importFile(createPriceFile('8.00'));
  const [first, second] = [await bench.check(createPriceFile('9.00')), await bench.check(createPriceFile('10.00'))];
  assert.equal((await bench.apply(second.id)).state, 'applied');
  const applied = await bench.imports.apply(first.id, createStaffActor(bench.userId));
  assert.ok(!applied.ok && applied.reason === 'outdated');
});

test('[OPS-12] keeps the limits of the editor', async () => {
  const { bench } = await openBench();
  const row = createMug('Red', 'R', FRONT);
  const many = Array.from({ length: 251 }, (_, at) => createMug(`Red ${at}`, `R${at}`, FRONT));
  const options = ['2', '3', '4', '5'].flatMap((at) => [`Option${at} Name`, `Option${at} Value`]);
  const file = createFile(options, [
    ...many,
    ['long', 'x'.repeat(256), ...row.slice(2, 6), 'L', '5', FRONT],
    ['code', ...row.slice(1, 6), 'S'.repeat(256), '5', FRONT],
    ['most', 'x'.repeat(255), ...row.slice(2, 6), 'S'.repeat(255), '5', FRONT],
    ['wide', ...row.slice(1, 6), 'W', '5', FRONT, 'A', '1', 'B', '2', 'C', '3', 'D', '4'],
  ]);
  const checked = await bench.check(file);
  const { rows } = await bench.imports.listProblems(checked.id, 1);
  assert.deepEqual(
    rows
      .filter(({ severity }) => severity === 'error')
      .map(({ line, column, message }) => `${line} ${column} ${message}`),
    [
      '2 null Its option values have 251 combinations. At most 250 are allowed',
      '253 Title The text has 256 characters. At most 255 are allowed',
      '254 Variant SKU The text has 256 characters. At most 255 are allowed',
      '256 Option5 Name The product has 5 options. At most 4 are allowed',
    ],
  );
  assert.equal((await bench.apply(checked.id, { isWithoutLeftOut: true })).state, 'applied');
});

test('[OPS-09] an import is refused at a price that a sale would not reduce', async () => {
  const { db, bench } = await openBench();
  await bench.importFile(createPriceFile('8.00'));
  await sql`insert into sale_prices (id, product_id, starts_at, base_price_cents, edited_at)
    select gen_random_uuid(), id, now() + interval '1 day', 700, now() from products`.execute(db);
  const refused = await bench.check(createPriceFile('7.00'));
  const { rows } = await bench.imports.listProblems(refused.id, 1);
  assert.deepEqual(
    rows.map(({ severity, line, column, message }) => [severity, line, column, message]),
    [
      [
        'error',
        2,
        'Variant Price',
        'The sale price ($7.00) must stay below this price. Change or end the sale price first',
      ],
    ],
  );
  await bench.imports.cancel(refused.id, staffActor);
  const exported = await bench.exportFile();
  const same = await bench.check(exported);
  assert.deepEqual([same.errors, same.changedProducts, same.unchangedProducts], [0, 0, 1], 'an export keeps prices');
  await bench.imports.cancel(same.id, staffActor);
  assert.equal((await bench.importFile(createPriceFile('7.01'))).state, 'applied');
  const recorded = await sql<{ base: string }>`
    select prices ->> 'base' as base from price_records order by recorded_at
  `.execute(db);
  assert.deepEqual(
    recorded.rows.map(({ base }) => base),
    ['800', '701'],
  );
});

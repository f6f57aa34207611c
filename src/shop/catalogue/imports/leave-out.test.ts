/** Errors belong to products: those without are imported, as the merchant chooses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { openImportBench } from '../../../../tests/support/imports/import-bench.ts';
import type { ImportBench } from '../../../../tests/support/imports/import-bench.ts';
import { createStaffActor } from '../../../../tests/support/staff-actor.ts';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import type { Db } from '#src/platform/database/database.ts';

const HEAD = ['Handle', 'Title', 'Vendor', 'Type', 'Option1 Name', 'Option1 Value', 'Variant SKU', 'Variant Price'];
const createFile = (rows: readonly (readonly string[])[], columns: readonly string[] = []): string =>
  [[...HEAD, ...columns], ...rows].map(formatCsvLine).join('');
const createRow = (
  handle: string,
  { title = 'Lamp', vendor = 'Acme', type = 'Lamps', size = 'S', sku = '', price = '5' },
) => [handle, title, vendor, type, 'Size', size, sku, price] as const;

const row = (handle: string, title: string) => createRow(handle, { title });

const listSlugs = async (db: Db): Promise<readonly string[]> =>
  (await sql<{ slug: string }>`select slug from products order by slug`.execute(db)).rows.map(({ slug }) => slug);

const listErrors = async (bench: ImportBench, id: string): Promise<readonly string[]> =>
  (await bench.imports.listProblems(id, 1, { severity: 'error' })).rows.map(
    ({ line, column, product, message }) => `${line} ${column} ${product}: ${message}`,
  );

test('[OPS-31] imports the products without errors once the others are left out', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const checked = await bench.check(
    createFile([
      createRow('good', { sku: 'G' }),
      createRow('bad', { vendor: 'Bolt', type: 'Vases', size: 'XXL', sku: 'SAME', price: 'cheap' }),
      createRow('next', { sku: 'SAME' }),
      createRow('later', { sku: 'SAME' }),
    ]),
  );
  assert.deepEqual(
    [checked.state, checked.createdProducts, checked.leftOutProducts, checked.errors],
    ['checked', 2, 2, 2],
  );
  // The SKU of a product that is left out is free.
  assert.deepEqual(await listErrors(bench, checked.id), [
    '3 Variant Price bad: “cheap” is not a price such as 1299.00',
    '5 Variant SKU later: The product of line 4 has the same SKU “SAME”',
  ]);
  const undecided = await bench.imports.apply(checked.id, createStaffActor(bench.userId));
  assert.deepEqual(undecided, { ok: false, reason: 'has-errors', leftOut: 2 });
  assert.deepEqual(await listSlugs(db), []);
  assert.equal((await bench.apply(checked.id, { isWithoutLeftOut: true })).state, 'applied');
  assert.deepEqual(await listSlugs(db), ['good', 'next']);
  const { rows } = await sql<{ name: string }>`
    select name from brands union all select name from categories union all select value from property_values order by 1
  `.execute(db);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['Acme', 'Lamps', 'S'],
  );
  const { rows: audited } = await sql<{ left: string }>`
    select details::json -> 'after' ->> 'left_out_products' as left from audit_details
    where entry_id = (select id from audit_entries where action = 'import.applied')
  `.execute(db);
  assert.deepEqual(audited, [{ left: '2' }]);
});

test('[OPS-31] refuses a file of which every product has errors', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const refused = await bench.check(createFile([createRow('a', { price: '?' }), createRow('b', { price: '0' })]));
  assert.deepEqual([refused.state, refused.leftOutProducts, refused.errors], ['refused', 2, 2]);
  await bench.importFile(createFile([createRow('a', { sku: 'A' })]));
  const unchanged = await bench.check(createFile([createRow('a', { sku: 'A' }), createRow('b', { price: '?' })]));
  assert.deepEqual([unchanged.state, unchanged.unchangedProducts, unchanged.leftOutProducts], ['checked', 1, 1]);
});

test('[OPS-31] says which product a handle changes that is not its URL', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  await bench.importFile(createFile(['lamp', 'mug', 'rug', 'vase'].map((slug) => row(slug, `Old ${slug}`))));
  // As if the products had been made in the editor.
  await sql`delete from imported_handles`.execute(db);
  const listHandleNotices = async (file: string): Promise<readonly string[]> => {
    const { id } = await bench.check(file);
    const { rows } = await bench.imports.listProblems(id, 1, { severity: 'notice', q: 'URL' });
    await bench.imports.cancel(id, createStaffActor(bench.userId));
    return rows.map(({ line, column, product, message }) => `${line} ${column} ${product}: ${message}`);
  };
  const file = createFile([
    row('Lämp', 'Other lamp'),
    row('MUG', 'Other mug'),
    row('rug\u200B', 'Old rug'),
    row('vase', 'Other vase'),
    row('Tülip', 'Tulip'),
  ]);
  assert.deepEqual(await listHandleNotices(file), [
    '2 Handle Lämp: Changes “Old lamp”: the handle “Lämp” becomes its URL “lamp”',
    '3 Handle MUG: Changes “Old mug”: the handle “MUG” becomes its URL “mug”',
    // The product stays as it is.
    '4 Handle rug\u200B: “rug\u200B” is not a valid URL: it becomes “rug”',
    '6 Handle Tülip: “Tülip” is not a valid URL: it becomes “tulip”',
  ]);
  // A title is the handle of a product without one.
  const untitled = [HEAD, row('', 'Lämp'), row('', 'Old mug')].map((cells) => cells.slice(1));
  assert.deepEqual(await listHandleNotices(untitled.map(formatCsvLine).join('')), [
    '2 Title Lämp: Changes “Old lamp”: the title “Lämp” becomes its URL “lamp”',
  ]);
});

test('[OPS-31] loads no picture of a product that is left out', async () => {
  const { db } = await createTestDatabase();
  const loaded: string[] = [];
  const bench = await openImportBench(db, {
    load: async (url) => {
      loaded.push(url);
      return { ok: true, path: `/images/uploads/${'c'.repeat(40)}.avif` };
    },
  });
  const picture = 'https://pictures.test/a b.jpg';
  const file = createFile(
    [
      [...createRow('bad', { price: '?' }), 'https://pictures.test/bad.jpg'],
      [...createRow('good', {}), picture],
      [...createRow('gone', {}), 'nowhere'],
    ],
    ['Image Src'],
  );
  const checked = await bench.check(file);
  assert.deepEqual([checked.pictures, checked.leftOutProducts], [1, 2]);
  await bench.apply(checked.id, { isWithoutLeftOut: true });
  assert.deepEqual(loaded, ['https://pictures.test/a%20b.jpg']);
});

test('[OPS-31] applies what the dry run showed for any mix of errors', async () => {
  const cell = fc.record({
    price: fc.constantFrom('5', '7.50', 'free', '0', ''),
    sku: fc.constantFrom('', 'A', 'B', 'C'),
    title: fc.constantFrom('Lamp', 'x'.repeat(256)),
    type: fc.constantFrom('Lamps', 'Mugs'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 8 }), async (cells) => {
      const database = await createTestDatabase();
      const { db } = database;
      const bench = await openImportBench(db);
      const checked = await bench.check(createFile(cells.map((one, at) => createRow(`p-${at}`, one))));
      const shown = (await bench.imports.listChangedProducts(checked.id, 1, 'manager')).rows.map(({ slug }) => slug);
      const errors = await bench.imports.listProblems(checked.id, 1, { severity: 'error' });
      const leftOut = new Set(errors.rows.map(({ product }) => product ?? ''));
      assert.equal(leftOut.size, checked.leftOutProducts);
      assert.deepEqual(
        [...shown, ...leftOut].toSorted(),
        cells.map((_, at) => `p-${at}`),
      );
      assert.equal(checked.state, shown.length === 0 ? 'refused' : 'checked');
      if (shown.length > 0) await bench.apply(checked.id, { isWithoutLeftOut: leftOut.size > 0 });
      assert.deepEqual(await listSlugs(db), shown.toSorted());
      await database.close();
    }),
    { numRuns: 10 },
  );
});

test('[OPS-31] problems are found by kind, line, column, product and text', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const { id } = await bench.check(
    createFile([
      createRow('good', {}),
      createRow('b_d', { price: '10%' }),
      createRow('worse', { title: '', price: '?' }),
    ]),
  );
  const find = async (filter: Parameters<typeof bench.imports.listProblems>[2]) =>
    (await bench.imports.listProblems(id, 1, filter)).rows.map(({ severity, line }) => `${severity} ${line}`);
  // Notices say what an import does, so that products which are left out have none.
  const all = ['error 3', 'error 4', 'error 4', 'notice 2'];
  assert.deepEqual(await find({}), all);
  assert.deepEqual(await find({ q: ' ' }), all);
  assert.deepEqual(await find({ severity: 'notice' }), ['notice 2']);
  assert.deepEqual(await find({ severity: 'error', q: 'variant price' }), ['error 3', 'error 4']);
  assert.deepEqual(await find({ q: '_' }), ['error 3']);
  assert.deepEqual(await find({ q: '10%' }), ['error 3']);
  assert.deepEqual(await find({ q: '4', severity: 'error' }), ['error 4', 'error 4']);
});

test('[OPS-31] a category that is nearly one of the shop is an error with its name', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  await bench.importFile(createFile([createRow('a', { type: 'Lamps' }), createRow('b', { type: 'Phones 15' })]));
  const types = ['Lapms', 'lamp', 'LAMPS', 'Damps', 'Lamps & More', 'Phones 16', 'Phone 15', 'Mugs'];
  const checked = await bench.check(createFile(types.map((type, at) => createRow(`n-${at}`, { type }))));
  assert.deepEqual(
    (await listErrors(bench, checked.id)).map((text) => text.replace(/\. Correct it.*/, '')),
    [
      '2 Type n-0: There is no category “Lapms”, but “Lamps”',
      '3 Type n-1: There is no category “lamp”, but “Lamps”',
      '8 Type n-6: There is no category “Phone 15”, but “Phones 15”',
    ],
  );
});

test('[OPS-31] two handles never become one product', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const file = createFile([
    row('чайник', 'Cyrillic'),
    row('日本茶', 'Tea'),
    row('緑茶', 'Green tea'),
    row('tea cup', 'Cup with a blank'),
    row('tea-cup', 'Cup'),
    row('!!', ''),
    row('ŁÓDŹ ığdır straße', 'Letters'),
  ]).replace('!!,', '!!,Emoji 😀');
  const applied = await bench.importFile(file);
  assert.equal(applied.state, 'applied');
  const slugs = ['chaynik', 'emoji', 'green-tea', 'lodz-igdir-strasse', 'tea', 'tea-cup', 'tea-cup-2'];
  assert.deepEqual(await listSlugs(db), slugs);
  // Alone, each still names its own product.
  for (const [handle, slug] of [
    ['tea cup', 'tea-cup-2'],
    ['tea-cup', 'tea-cup'],
    ['緑茶', 'green-tea'],
    ['чайник', 'chaynik'],
    ['ЧАЙНИК', 'chaynik'],
    ['Tea-Cup', 'tea-cup'],
  ] as const) {
    const changed = await bench.importFile(createFile([row(handle, `New ${handle}`)]));
    assert.deepEqual([changed.createdProducts, changed.changedProducts], [0, 1], handle);
    const { rows } = await sql<{ slug: string }>`select slug from products where name = ${`New ${handle}`}`.execute(db);
    assert.deepEqual(rows, [{ slug }]);
  }
  // Another handle that would become the same slug is a product of its own.
  await bench.importFile(createFile([row('чайник!', 'Loud'), row('tea_cup', 'Line')]));
  assert.deepEqual(await listSlugs(db), [...slugs, 'chaynik-2', 'tea-cup-3'].toSorted());
  // A slug of the same file does not take the URL of the handle that has it.
  const both = await bench.check(createFile([row('chaynik', 'Intruder'), row('чайник', 'New ЧАЙНИК')]));
  assert.deepEqual([both.createdProducts, both.changedProducts, both.leftOutProducts], [0, 0, 1]);
  const same = await bench.check(await bench.exportFile());
  assert.deepEqual([same.errors, same.changedProducts, same.unchangedProducts], [0, 0, 9]);
});

const createSizes = (...grams: readonly string[]) =>
  createFile(
    grams.map((weight, at) => [
      ...createRow('anvil', { title: at === 0 ? 'Anvil' : '', size: `${at}`, sku: `A${at}` }),
      weight,
    ]),
    ['Variant Grams'],
  );

test('[OPS-31] each variant has the weight of its line', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const readWeights = async () =>
    (
      await sql<{ grams: number | null }>`
        select coalesce(variant.weight_grams, products.weight_grams) as grams
        from product_variants variant join products on products.id = product_id order by variant.position
      `.execute(db)
    ).rows.map(({ grams }) => grams);
  await bench.importFile(createSizes('20000', '35000.4', ''));
  assert.deepEqual(await readWeights(), [20_000, 35_000, 20_000]);
  const changed = await bench.check(createSizes('20000', '0', '20000'));
  const { rows } = await bench.imports.listChangedProducts(changed.id, 1, 'manager');
  assert.deepEqual(
    rows.flatMap(({ changes }) => changes.map(({ variant, field, before, after }) => [variant, field, before, after])),
    [
      [null, 'Weight', '20000 g', 'unknown'],
      ['1', 'Weight', '35000 g', 'unknown'],
    ],
  );
  await bench.apply(changed.id);
  assert.deepEqual(await readWeights(), [20_000, null, 20_000]);
  const same = await bench.check(await bench.exportFile());
  assert.deepEqual([same.errors, same.changedProducts, same.unchangedProducts], [0, 0, 1]);
});

test('[OPS-31] a file without handles has a product for each title', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const file = [
    ['Title', 'Vendor', 'Price', 'Option1 name', 'Option1 value', 'Weight value (grams)'],
    ['Desk Lamp', 'Acme', '5', 'Size', 'S', '907.003'],
    ['', '', '6', '', 'L', ''],
    ['Floor Lamp', 'Acme', '$1,299.00', '', '', '0.4'],
  ];
  assert.equal((await bench.importFile(file.map(formatCsvLine).join(''))).state, 'applied');
  const { rows } = await sql`
    select slug, weight_grams as grams, base_price_cents::int as cents,
      (select count(*)::int from product_variants where product_id = products.id) as variants
    from products order by slug
  `.execute(db);
  assert.deepEqual(rows, [
    { slug: 'desk-lamp', grams: 907, cents: 500, variants: 2 },
    { slug: 'floor-lamp', grams: 1, cents: 129_900, variants: 1 },
  ]);
});

test('[OPS-31] a draft without a picture is not published by a repeated import', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const file = 'Handle,Title,Vendor,Type,Variant SKU,Variant Price,Published\nbare,Bare,Acme,Lamps,B,5,TRUE\n';
  await bench.importFile(file);
  const again = await bench.check(file);
  assert.deepEqual([again.changedProducts, again.unchangedProducts], [0, 1]);
  const { rows } = await sql`select is_published from products where slug = 'bare'`.execute(db);
  assert.deepEqual(rows, [{ is_published: false }]);
});

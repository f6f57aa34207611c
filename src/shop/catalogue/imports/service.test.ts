import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { seedCatalogue } from '../../../../db/seed/catalogue.ts';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { openImportBench } from '../../../../tests/support/imports/import-bench.ts';
import type { ImportBench } from '../../../../tests/support/imports/import-bench.ts';
import { SHOPIFY_EXPORT } from '../../../../tests/support/imports/shopify-export.ts';
import type { Db } from '#src/platform/database/database.ts';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import { createStaffActor, staffActor } from '../../../../tests/support/staff-actor.ts';

/** What the picture of another site becomes. */
const LOADED = `/images/uploads/${'a'.repeat(40)}.avif`;

const TABLES = [
  'brands',
  'categories',
  'properties',
  'property_values',
  'products',
  'product_values',
  'product_variants',
  'variant_stock',
  'revisions',
];

/** Everything of the catalogue, as text. */
async function dumpCatalogue(db: Db): Promise<string> {
  const tables = await Promise.all(
    TABLES.map((table) => sql`select * from ${sql.id(table)} t order by t::text`.execute(db)),
  );
  return JSON.stringify(
    tables.map(({ rows }) => rows),
    (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value),
  );
}

async function openSeededBench() {
  const { db } = await createTestDatabase();
  await seedCatalogue(db, new Date('2026-01-02T03:04:05Z'));
  return { db, bench: await openImportBench(db) };
}

const listProblems = async (bench: ImportBench, id: string): Promise<readonly string[]> =>
  (await bench.imports.listProblems(id, 1)).rows.map(
    ({ severity, line, column, message }) => `${severity} ${line} ${column ?? '-'}: ${message}`,
  );

const listChanges = async (bench: ImportBench, id: string): Promise<readonly string[]> =>
  (await bench.imports.listChangedProducts(id, 1, 'manager')).rows.flatMap(({ slug, changes }) =>
    changes.map(({ variant, field, before, after }) => `${slug} ${variant ?? '-'} ${field}: ${before} > ${after}`),
  );

test('[OPS-12] an export imports again unchanged, also into an empty shop', async () => {
  const { db, bench } = await openSeededBench();
  await sql`update product_variants set own_price_cents = 12345, gtin = '4006381333931', images = '{/images/products/airtag/front.avif,/images/products/airtag/side.avif}'
    where sku = (select min(sku) from product_variants)`.execute(db);
  await sql`insert into variant_stock select id, 7 from product_variants where position % 2 = 0`.execute(db);
  await sql`update product_variants set is_published = false where position = 1`.execute(db);
  await sql`update products set tax_class = 'reduced', weight_grams = 850 where position % 3 = 1`.execute(db);
  // Own weights beside that of the product, and beside an unknown one.
  await sql`update product_variants set weight_grams = 900 + position where position % 4 < 2`.execute(db);
  await sql`update products set name = '=2+3 ' || chr(34) || name, description = 'One' || chr(10) || 'two' where position < 3`.execute(
    db,
  );
  const exported = await bench.exportFile();

  const before = await dumpCatalogue(db);
  const same = await bench.check(exported);
  assert.deepEqual([same.state, same.errors, same.createdProducts, same.changedProducts], ['checked', 0, 0, 0]);
  await bench.imports.cancel(same.id, staffActor);
  assert.equal(await dumpCatalogue(db), before);

  const empty = await createTestDatabase();
  const other = await openImportBench(empty.db);
  const applied = await other.importFile(exported);
  assert.deepEqual([applied.state, applied.errors, applied.createdProducts], ['applied', 0, same.unchangedProducts]);
  assert.equal(await other.exportFile(), exported);
});

test('[OPS-12] an export of Shopify imports with its odd columns', async () => {
  const { db } = await createTestDatabase();
  const loaded: string[] = [];
  const bench = await openImportBench(db, {
    load: async (url) => {
      loaded.push(url);
      return { ok: true, path: LOADED };
    },
  });
  const checked = await bench.check(SHOPIFY_EXPORT);
  assert.deepEqual([checked.state, checked.errors, checked.lines], ['checked', 0, 5]);
  const problems = await listProblems(bench, checked.id);
  assert.match(
    problems[0] ?? '',
    /^notice 1 -: The shop has no use for these columns.*Tags.*Variant Fulfillment Service/,
  );
  for (const expected of [
    /^notice 8 Variant Inventory Policy: What is sold out/,
    /^notice 7 Variant Inventory Qty: The quantity is negative/,
    /^notice 7 Variant Barcode: “n\/a” is not a GTIN/,
    /^notice 10 Handle: “Größe_XL--Poster” is not a valid URL: it becomes “grosse-xl-poster”/,
  ]) {
    assert.ok(
      problems.some((problem) => expected.test(problem)),
      `${expected} in ${problems.join('\n')}`,
    );
  }
  assert.equal((await bench.apply(checked.id)).state, 'applied');
  assert.deepEqual(loaded, ['https://cdn.shopify.com/s/files/1/0001/lamp.jpg?v=1699']);
  const weighed = await sql`
    select weight_grams as grams, tax_class from products where slug = 'desk-lamp'`.execute(db);
  assert.deepEqual(weighed.rows, [{ grams: 850, tax_class: 'standard' }]);
  const { rows } = await sql`
    select products.slug, products.name, description, brands.name as brand, categories.name as category,
      products.is_published as published, base_price_cents::int as base, products.images, array_agg(
        variant.sku || ' ' || coalesce(own_price_cents, -1) || ' ' || variant.is_published || ' ' ||
        coalesce(stock.available, -1) || ' ' || coalesce(gtin, '-') order by variant.position) as variants
    from products join brands on brands.id = brand_id join categories on categories.id = category_id
    join product_variants variant on variant.product_id = products.id
    left join variant_stock stock on stock.variant_id = variant.id
    group by products.id, brands.name, categories.name order by products.slug
  `.execute(db);
  assert.deepEqual(rows, [
    {
      slug: 'desk-lamp',
      name: 'Desk Lamp "Luna"',
      description: 'A lamp for long evenings & short nights.\n\n• Dimmable\n• LED, 9 W',
      brand: 'Lumen & Sons',
      category: 'Lamps',
      published: true,
      base: 4900,
      images: ['/images/products/airtag/front.avif', LOADED, '/images/products/airtag/side.avif'],
      // The combination that the file lacks exists and is not sold.
      variants: [
        'LUNA-BK-EU -1 true 12 4006381333931',
        'LUNA-BK-UK -1 true 0 -',
        'LUNA-WH-EU -1 true -1 -',
        'desk-lamp-4 -1 false -1 -',
      ],
    },
    {
      slug: 'grosse-xl-poster',
      name: '=SUM(A1) poster',
      description: 'Plain text,\nover two lines',
      brand: 'Lumen & Sons',
      category: 'Posters',
      published: false,
      base: 950,
      images: [],
      variants: ['grosse-xl-poster -1 true 3 -'],
    },
  ]);
  const again = await bench.exportFile();
  assert.match(again, /\r\ngrosse-xl-poster,'=SUM\(A1\) poster,/);
  const repeated = await bench.check(again);
  assert.deepEqual([repeated.errors, repeated.changedProducts, repeated.unchangedProducts], [0, 0, 2]);
});

test('[OPS-12] a dry run lists every error by line and column', async () => {
  const { bench } = await openSeededBench();
  const head = [
    'Handle',
    'Title',
    'Vendor',
    'Published',
    'Option1 Name',
    'Option1 Value',
    'Variant SKU',
    'Variant Price',
    'Variant Inventory Qty',
    'Shop / Specifications',
    'Image Src',
    'Status',
  ];
  const file = [
    head,
    ['new-a', '', 'Acme', 'maybe', '', '', 'A', '0', '1.5', '[]', 'nowhere', 'sold'],
    ['new-b', 'B', '', '', 'Size', 'S', 'A', '1e3', '', '', '', ''],
    ['new-b', '', '', '', '', '', 'B2', '5', '', '', '', ''],
    ['new-b', '', '', '', '', 'S', 'B3', '5', '', '', '', ''],
    ['c'.repeat(256), 'C', 'Acme', '', '', '', 'C', '5', '', '', '', ''],
    ['airtag', '', '', '', 'Title', 'Default Title', 'CM-AP4-01', '29', '', '', '', ''],
  ];
  const checked = await bench.check(file.map(formatCsvLine).join(''));
  assert.equal(checked.state, 'refused');
  assert.deepEqual(
    (await listProblems(bench, checked.id)).filter((problem) => problem.startsWith('error')),
    [
      'error 2 Variant Price: The price must be more than 0',
      'error 2 Variant Inventory Qty: “1.5” is not a whole number',
      'error 2 Image Src: “nowhere” is not the address of a picture',
      'error 2 Published: “maybe” is neither TRUE nor FALSE',
      'error 2 Status: “sold” is none of active, draft and archived',
      'error 2 Shop / Specifications: This is not a JSON object such as {"Display": "6.3 inches"}',
      'error 2 Title: A new product needs a title',
      'error 3 Variant Price: “1e3” is not a price such as 1299.00',
      'error 3 Vendor: A new product needs a vendor, which is its brand',
      'error 4 Option1 Value: The value of the option “Size” is missing',
      'error 5 Option1 Value: Line 3 has the same option values',
      'error 6 Handle: The handle has 256 characters. At most 255 are allowed',
      'error 7 Variant SKU: A variant of another product has the same SKU “CM-AP4-01”',
    ],
  );
  const applied = await bench.imports.apply(checked.id, createStaffActor(bench.userId));
  assert.deepEqual(applied, { ok: false, reason: 'not-checked' });
});

test('[OPS-12] names the line of a picture that the shop lacks', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db, {
    listMissing: async (paths) => new Set([...paths].filter((path) => path.endsWith('side.avif'))),
  });
  const checked = await bench.check(SHOPIFY_EXPORT);
  assert.equal(
    (await listProblems(bench, checked.id))[0],
    'error 9 Image Src: The shop has no picture /images/products/airtag/side.avif',
  );
});

test('[OPS-12] changes list each field before and after', async () => {
  const { db, bench } = await openSeededBench();
  await sql`insert into variant_stock select id, 4 from product_variants`.execute(db);
  const exported = await bench.exportFile();
  const edited = exported
    .replace(/^(airtag,)AirTag,/m, '$1AirTag 2,')
    .replace(/^(airtag,.*,shopify,)4(,deny,)[\d.]+,/m, '$19$235.00,');
  const checked = await bench.check(edited);
  assert.deepEqual(await listChanges(bench, checked.id), [
    'airtag - Title: AirTag > AirTag 2',
    'airtag Single Price: 29.00 > 35.00',
    'airtag Single Stock: 4 > 9',
  ]);
  // Two are sold between the check and the import.
  await sql`update variant_stock set available = 2 where variant_id in (
    select variant.id from product_variants variant join products on products.id = product_id where slug = 'airtag')`.execute(
    db,
  );
  assert.equal((await bench.apply(checked.id)).state, 'applied');
  const { rows } = await sql<{ available: number; revision: boolean }>`
    select available, products.revision = (select revision from revisions where topic = 'catalogue') as revision
    from variant_stock join product_variants variant on variant.id = variant_id
    join products on products.id = product_id where slug = 'airtag' order by variant.position`.execute(db);
  assert.deepEqual(rows, [
    { available: 7, revision: true },
    { available: 2, revision: true },
  ]);
});

test('[OPS-12] refuses to overwrite what changed after the dry run', async () => {
  const { db, bench } = await openSeededBench();
  const exported = await bench.exportFile();
  const checked = await bench.check(exported.replace(/^(airtag,)AirTag,/m, '$1AirTag 2,'));
  await sql`update products set revision = 999 where slug = 'airtag'`.execute(db);
  const applied = await bench.imports.apply(checked.id, createStaffActor(bench.userId));
  assert.ok(!applied.ok && applied.reason === 'outdated');
  assert.match(applied.message, /These products changed after the check: AirTag/);
  assert.equal((await bench.imports.find(checked.id))?.state, 'outdated');
});

const createMugFile = (option: string, rows: readonly (readonly [string, string, string])[]): string =>
  [
    [
      'Handle',
      'Title',
      'Vendor',
      'Type',
      'Option1 Name',
      'Option1 Value',
      'Variant SKU',
      'Variant Price',
      'Variant Inventory Tracker',
      'Variant Inventory Qty',
    ],
    ...rows.map(([value, sku, quantity]) => [
      'mug',
      'Mug',
      'Acme',
      'Mugs',
      option,
      value,
      sku,
      '8.00',
      'shopify',
      quantity,
    ]),
  ]
    .map(formatCsvLine)
    .join('');

test('[OPS-12] exchanges SKUs and keeps stock when options are renamed', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  assert.equal(
    (
      await bench.importFile(
        createMugFile('Color', [
          ['Red', 'M-1', '1'],
          ['Blue', 'M-2', '2'],
        ]),
      )
    ).state,
    'applied',
  );
  const ids = await sql<{ id: string; sku: string }>`select id, sku from product_variants order by sku`.execute(db);
  assert.equal(
    (
      await bench.importFile(
        createMugFile('Color', [
          ['Red', 'M-2', '1'],
          ['Blue', 'M-1', '2'],
        ]),
      )
    ).state,
    'applied',
  );
  const swapped = await sql<{
    id: string;
    sku: string;
  }>`select id, sku from product_variants order by sku desc`.execute(db);
  assert.deepEqual(
    swapped.rows.map(({ id }) => id),
    ids.rows.map(({ id }) => id),
  );
  assert.equal(
    (
      await bench.importFile(
        createMugFile('Shade', [
          ['Red', 'M-2', '1'],
          ['Blue', 'M-1', '2'],
        ]),
      )
    ).state,
    'applied',
  );
  const renamed = await sql<{ id: string }>`select id from product_variants order by sku desc`.execute(db);
  assert.deepEqual(
    renamed.rows,
    swapped.rows.map(({ id }) => ({ id })),
  );
});

test('[OPS-12] an older export does not restock sold units', async () => {
  const { db, bench } = await openSeededBench();
  const skus = await sql<{ sku: string }>`select sku from product_variants order by sku limit 2`.execute(db);
  const [sold = '', tracked = ''] = skus.rows.map(({ sku }) => sku);
  const setStock = (sku: string, available: number) =>
    sql`
    insert into variant_stock select id, ${available} from product_variants where sku = ${sku}
    on conflict (variant_id) do update set available = excluded.available`.execute(db);
  await setStock(sold, 9);
  const exported = await bench.exportFile();
  await setStock(sold, 4);
  // Tracked after the export, which says that it is not.
  await setStock(tracked, 3);
  const same = await bench.check(exported);
  assert.deepEqual([same.state, same.changedProducts, same.notices], ['checked', 0, 0]);
  await bench.imports.cancel(same.id, staffActor);
  // A number that was changed in the file counts, with a warning.
  const edited = await bench.check(exported.replace(/,shopify,9,/, ',shopify,12,'));
  assert.match((await listChanges(bench, edited.id)).join(), /Stock: 4 > 12/);
  assert.match(
    (await listProblems(bench, edited.id)).join(),
    /Qty: The stock is 4 now and 12 in the file\. It becomes 12/,
  );
});

test('[OPS-12] [OPS-02] a price that changes by half or more is named with both numbers', async () => {
  const { bench } = await openSeededBench();
  const exported = await bench.exportFile();
  const checked = await bench.check(exported.replace(/^(airtag,.*,deny,)29\.00,/m, '$12900.00,'));
  assert.deepEqual([checked.state, checked.notices], ['checked', 1]);
  assert.match(
    (await listProblems(bench, checked.id)).join(),
    /Variant Price: The price is 29\.00 now and 2900\.00 in the file/,
  );
});

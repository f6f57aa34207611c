/** A file with some variants of a product changes these only, and the dry run lists what changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { openImportBench } from '../../../../tests/support/imports/import-bench.ts';
import type { ImportBench } from '../../../../tests/support/imports/import-bench.ts';
import { SeededRandom } from '../../../../tests/support/seeded-random.ts';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import type { Db } from '#src/platform/database/database.ts';

interface SizeRow {
  readonly size: string;
  readonly price: string;
  readonly grams: string;
}

const HEAD = ['Handle', 'Title', 'Vendor', 'Type', 'Body (HTML)', 'Option1 Name', 'Option1 Value', 'Variant SKU'];
const createFile = (rows: readonly SizeRow[], body = 'An anvil'): string =>
  [
    [...HEAD, 'Variant Price', 'Variant Grams'],
    ...rows.map(({ size, price, grams }, at) => {
      const title = at === 0 ? ['Anvil', 'Acme', 'Tools', body] : ['', '', '', ''];
      return ['anvil', ...title, 'Size', size, `SKU-${size}`, price, grams];
    }),
  ]
    .map(formatCsvLine)
    .join('');

interface Offered {
  readonly grams: number | null;
  readonly cents: bigint;
  readonly isSold: boolean;
}

/** Weight and price of each variant, by SKU. */
async function readOffers(db: Db): Promise<ReadonlyMap<string, Offered>> {
  const { rows } = await sql<Offered & { sku: string }>`
    select sku, coalesce(variant.weight_grams, products.weight_grams) as grams, variant.is_published as "isSold",
      coalesce(own_price_cents, base_price_cents + coalesce((select sum(increase_cents) from product_values
        where product_values.product_id = products.id and value_id = any(property_value_ids)), 0))::bigint as cents
    from product_variants variant join products on products.id = product_id
  `.execute(db);
  return new Map(rows.map(({ sku, ...offered }) => [sku, offered]));
}

const listChanges = async (bench: ImportBench, id: string) =>
  (await bench.imports.listChangedProducts(id, 1, 'manager')).rows.flatMap(({ changes }) => changes);

const SIZES = ['S', 'M', 'L', 'XL'];
const GRAMS = ['0', '100', '200', '300'];
const PRICES = ['5', '6', '7'];

test('[OPS-31] a file with some variants changes no price or weight of the others', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const random = new SeededRandom(3);
  const createRows = (sizes: readonly string[]): readonly SizeRow[] =>
    sizes.map((size) => ({
      size,
      price: PRICES[random.pickBelow(PRICES.length)] ?? '',
      grams: GRAMS[random.pickBelow(GRAMS.length)] ?? '',
    }));
  for (let round = 0; round < 12; round += 1) {
    await bench.importFile(createFile(createRows(SIZES)));
    const before = await readOffers(db);
    const listed = createRows(SIZES.filter(() => random.pickBelow(2) === 0).toSorted(() => random.pickBelow(3) - 1));
    if (listed.length === 0) continue;
    const checked = await bench.check(createFile(listed));
    const changes = await listChanges(bench, checked.id);
    assert.equal((await bench.apply(checked.id)).state, 'applied');
    const after = await readOffers(db);
    for (const size of SIZES) {
      const sku = `SKU-${size}`;
      const row = listed.find((one) => one.size === size);
      const expected: Offered | undefined =
        row === undefined
          ? { ...(before.get(sku) ?? assert.fail(sku)), isSold: false }
          : { grams: Number(row.grams) || null, cents: BigInt(row.price) * 100n, isSold: true };
      assert.deepEqual(after.get(sku), expected, `round ${round}, ${size}`);
      const fields = changes.filter(({ variant }) => variant === size).map(({ field }) => field);
      if (row === undefined)
        assert.deepEqual(
          fields.filter((field) => field !== 'Sold'),
          [],
        );
    }
    for (const { before: from, after: to, field } of changes) assert.notEqual(from, to, field);
  }
});

const weigh = (...grams: readonly string[]): readonly SizeRow[] =>
  grams.map((weight, at) => ({ size: SIZES[at] ?? '', price: '5', grams: weight }));
const price = (...prices: readonly string[]): readonly SizeRow[] =>
  prices.map((amount, at) => ({ size: SIZES[at] ?? '', price: amount, grams: '100' }));

test('[OPS-31] an empty weight leaves that of the variant', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const readGrams = async () => {
    const offers = await readOffers(db);
    return SIZES.slice(0, 3).map((size) => offers.get(`SKU-${size}`)?.grams);
  };
  await bench.importFile(createFile(weigh('100', '200', '')));
  assert.deepEqual(await readGrams(), [100, 200, 100]);
  await bench.importFile(createFile(weigh('150', '', '')));
  // The third one has the weight of the first line, as before.
  assert.deepEqual(await readGrams(), [150, 200, 150]);
  await bench.importFile(createFile(weigh('', '', '0')));
  assert.deepEqual(await readGrams(), [150, 200, null]);
});

test('[OPS-12] the two sides of a change never look the same', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const long = 'A long description. '.repeat(20);
  await bench.importFile(createFile(price('5', '6'), `${long}The end`));
  const checked = await bench.check(createFile(price('5', '7'), `${long}The start`));
  const changes = await listChanges(bench, checked.id);
  assert.deepEqual(
    changes.map(({ variant, field, before, after }) => `${variant ?? '-'} ${field}: ${before} > ${after}`),
    [
      '- Description: …ng description. A long description. The end > …ng description. A long description. The start',
      'M Price: 6.00 > 7.00',
    ],
  );
  await bench.apply(checked.id);
  // The base price stays, the increase of M is another one.
  await sql`update product_variants set own_price_cents = null`.execute(db);
  await sql`update product_values set increase_cents = 300 where value_id = (select id from property_values where value = 'M')`.execute(
    db,
  );
  const [change] = await listChanges(bench, (await bench.check(createFile(price('5.5', '9'), `${long}The start`))).id);
  assert.deepEqual(
    [change?.field, change?.before, change?.after],
    ['Base price and increases', '5.00; M: 3.00', '5.50; M: 3.50'],
  );
});

test('[OPS-12] a change of blanks is named', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const rows = [{ size: 'S', price: '5', grams: '100' }];
  await bench.importFile(createFile(rows, 'An anvil'));
  const { id } = await bench.check(createFile(rows, 'An\u00A0an\u200Bvil'));
  const [change] = await listChanges(bench, id);
  assert.deepEqual(
    [change?.before, change?.after],
    ['An anvil', 'An an\u200Bvil (differs in blanks or invisible characters)'],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { openImportBench } from '../../../../tests/support/imports/import-bench.ts';
import { formatCsvLine } from '#src/platform/csv/csv-line.ts';
import { readCsv } from '#src/platform/csv/read-csv.ts';

test('[OPS-12] random catalogues survive import and export', async () => {
  const name = fc
    .string({ unit: fc.constantFrom(...Array.from('abcXY01 "\',;=+-@<>&\n€é')), minLength: 1, maxLength: 12 })
    .map((text) => `n${text.trim()}`);
  const value = fc.constantFrom('Red', 'Blue', '64GB', '=1', '-2', 'a;b');
  const product = fc.record({
    title: name,
    body: name,
    brand: fc.constantFrom('Acme', 'Bolt', '@Home'),
    type: fc.constantFrom('Mugs', 'Lamps'),
    options: fc.uniqueArray(fc.constantFrom('Color', 'Size', 'Plug', 'Kind'), { maxLength: 4 }),
    rows: fc.array(
      fc.record({
        values: fc.array(value, { minLength: 4, maxLength: 4 }),
        price: fc.integer({ min: 1, max: 99_999 }).map((amount) => (amount / 100).toFixed(2)),
        quantity: fc.option(fc.nat(50)),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(product, { minLength: 1, maxLength: 4 }), async (products) => {
      const lines = [
        [
          'Handle',
          'Title',
          'Body (HTML)',
          'Vendor',
          'Type',
          ...[1, 2, 3, 4].flatMap((at) => [`Option${at} Name`, `Option${at} Value`]),
          'Variant SKU',
          'Variant Price',
          'Variant Inventory Tracker',
          'Variant Inventory Qty',
        ],
      ];
      for (const [at, { title, body, brand, type, options, rows }] of products.entries()) {
        const seen = new Set<string>();
        for (const [row, { values, price, quantity }] of rows.entries()) {
          const key = values.slice(0, options.length).join('\n');
          if (seen.has(key)) continue;
          seen.add(key);
          const cells =
            options.length === 0
              ? ['Title', 'Default Title']
              : options.flatMap((option, index) => [option, values[index] ?? '']);
          const padded = [...cells, ...Array.from({ length: 8 - cells.length }, () => '')];
          lines.push([
            `p-${at}`,
            title,
            body,
            brand,
            type,
            ...padded,
            `S${at}-${row}`,
            price,
            quantity === null ? '' : 'shopify',
            quantity === null ? '' : String(quantity),
          ]);
        }
      }
      const [first, second] = await Promise.all([createTestDatabase(), createTestDatabase()]);
      const bench = await openImportBench(first.db);
      const imported = await bench.importFile(lines.map(formatCsvLine).join(''));
      assert.equal(imported.state, 'applied', JSON.stringify(await bench.imports.listProblems(imported.id, 1)));
      const exported = await bench.exportFile();
      const checked = await bench.check(exported);
      assert.deepEqual(
        [checked.errors, checked.changedProducts],
        [0, 0],
        JSON.stringify(await bench.imports.listChangedProducts(checked.id, 1, 'manager')),
      );
      const other = await openImportBench(second.db);
      assert.equal((await other.importFile(exported)).state, 'applied');
      assert.equal(await other.exportFile(), exported);
      const source = async function* () {
        yield Buffer.from(exported);
      };
      for await (const { cells } of readCsv(source, 'utf-8', { maxRecordLength: 100_000, maxColumns: 99 })) {
        for (const cell of cells) assert.doesNotMatch(cell, /^\s*[=+@-]/);
      }
      await first.close();
      await second.close();
    }),
    { numRuns: 12 },
  );
});

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { openImportBench } from '../../../../tests/support/imports/import-bench.ts';
import type { ImportBench } from '../../../../tests/support/imports/import-bench.ts';

let db: Db;
let bench: ImportBench;
beforeEach(async () => {
  ({ db } = await createTestDatabase());
  bench = await openImportBench(db);
});

const HEAD = 'Handle,Title,Vendor,Type,Option1 Name,Option1 Value,Variant SKU,Variant Price,Cost per item\n';
const createFile = (red: string, blue: string, price = '9.00'): string =>
  `${HEAD}mug,Mug,Acme,Mugs,Color,Red,M-R,${price},${red}\nmug,,,,,Blue,M-B,${price},${blue}\n`;
async function readCosts(): Promise<readonly string[]> {
  const { rows } = await sql<{ cost: string }>`
    select concat_ws(' ', sku, cost_cents) as cost from product_variants
    left join variant_costs on variant_id = product_variants.id order by sku desc`.execute(db);
  return rows.map(({ cost }) => cost);
}
async function exportFile(hasCosts: boolean): Promise<string> {
  let text = '';
  for await (const piece of bench.imports.exportProducts({ hasCosts })) text += piece;
  return text;
}
async function importCosts(red: string, blue: string): Promise<void> {
  const { id, state } = await bench.importFile(createFile(red, blue));
  assert.equal(state, 'applied', JSON.stringify(await bench.imports.listProblems(id, 1)));
}

test('[OPS-05] a file sets costs, and an empty cell keeps them', async () => {
  await importCosts('4.50', '0');
  assert.deepEqual(await readCosts(), ['M-R 450', 'M-B 0']);
  await importCosts('', '3.21');
  assert.deepEqual(await readCosts(), ['M-R 450', 'M-B 321']);
  const { rows } = await sql<{ version: number }>`select version from product_costs`.execute(db);
  assert.deepEqual(rows, [{ version: 2 }]);
});

test('[OPS-05] the review of an import lists changed costs', async () => {
  await importCosts('4.50', '');
  const { id } = await bench.check(createFile('5', '6'));
  const { rows } = await bench.imports.listChangedProducts(id, 1, 'manager');
  assert.deepEqual(rows[0]?.changes, [
    { variant: 'Red', field: 'Cost per item', before: '4.50', after: '5.00' },
    { variant: 'Blue', field: 'Cost per item', before: null, after: '6.00' },
  ]);
});

test('[OPS-05] an invalid cost is an error of its column', async () => {
  const { id, errors } = await bench.check(createFile('-1', 'free'));
  assert.equal(errors, 2);
  const { rows } = await bench.imports.listProblems(id, 1, { severity: 'error' });
  assert.deepEqual(
    rows.map(({ column }) => column),
    ['Cost per item', 'Cost per item'],
  );
});

test('[OPS-05] an export with costs changes nothing when it is imported', async () => {
  await importCosts('4.50', '');
  const exported = await exportFile(true);
  assert.match(exported, /,Cost per item,/);
  assert.match(exported, /,4\.50,/);
  const { changedProducts, unchangedProducts } = await bench.check(exported);
  assert.deepEqual([changedProducts, unchangedProducts], [0, 1]);
});

test('[OPS-05] an export without costs names none, and imported keeps all', async () => {
  await importCosts('4.56', '7.89');
  const exported = await exportFile(false);
  assert.doesNotMatch(exported, /cost|4\.56|7\.89/i);
  await bench.importFile(exported.replaceAll('9.00', '9.50'));
  assert.deepEqual(await readCosts(), ['M-R 456', 'M-B 789']);
});

test('[OPS-05] the costs of a file count only from staff who may see figures', async () => {
  await importCosts('4.50', '0');
  await sql`update users set role = 'shipping' where id = ${bench.userId}`.execute(db);
  const { id, state } = await bench.importFile(createFile('99', '99', '9.50'));
  assert.equal(state, 'applied');
  assert.deepEqual(await readCosts(), ['M-R 450', 'M-B 0']);
  const { rows } = await bench.imports.listProblems(id, 1);
  assert.ok(rows.some(({ message }) => /ignored: Cost per item/.test(message)));
});

test('[OPS-05] a cost that changes after the check makes the import outdated', async () => {
  await importCosts('4.50', '0');
  const { id } = await bench.check(createFile('5', '0'));
  await sql`update variant_costs set cost_cents = 7 where cost_cents = 450`.execute(db);
  await assert.rejects(bench.apply(id), /outdated/);
  assert.deepEqual(await readCosts(), ['M-R 7', 'M-B 0']);
});

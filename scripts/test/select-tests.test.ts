import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readImportGraph } from './import-graph.ts';
import { selectAffectedTests, listTests, mayHold, computeNeeds, selectTests } from './select-tests.ts';
import { readCosts } from './test-costs.ts';
import { planProcesses } from './test-groups.ts';

const graph = readImportGraph();
const tests = listTests();
const affectedBy = (...changed: string[]): string[] => selectAffectedTests(graph, tests, changed);

test('a run includes every test file once, in few processes', () => {
  const processes = planProcesses(
    tests.map((path) => ({ path, ...computeNeeds(graph, path) })),
    readCosts().files,
  );
  const planned = processes.flatMap(({ files }) => files.map((file) => file.path));
  assert.deepEqual(planned.toSorted(), tests.toSorted());
  assert.ok(processes.length < tests.length / 2, `${processes.length} processes`);
});

/** Clock, environment and working directory, and a test that awaits at its top level. */
const OF_PROCESS =
  /\bmock\b|process\.(?:once|on|chdir|exit)\b|process\.env[.\w[\]']* = |delete process\.env|^(?:const .* = )?await\b/m;
const OF_WINDOW = /\bglobalThis\b|\bwindow\.\w+ = /;

test('a test that replaces something global declares that it runs alone', () => {
  const undeclared = tests.filter((path) => {
    const { kind } = computeNeeds(graph, path);
    const code = readFileSync(path, 'utf8');
    return kind !== 'alone' && (OF_PROCESS.test(code) || (kind !== 'browser' && OF_WINDOW.test(code)));
  });
  assert.deepEqual(undeclared, [], 'import tests/support/own-process.ts');
});

test('a change selects the tests of what imports it', () => {
  const affected = affectedBy('src/shop/cart/price-cart.ts');
  for (const file of ['src/shop/cart/price-cart.test.ts', 'tests/cart.test.ts', 'tests/architecture.test.ts']) {
    assert.ok(affected.includes(file), file);
  }
  assert.ok(!affected.includes('src/shop/accounts/service.test.ts'));
  assert.deepEqual(affectedBy(), []);
});

test('a change of the server selects HTTP tests; one of a page selects journeys', () => {
  const byServer = affectedBy('src/shop/refunds/store.ts');
  assert.ok(byServer.includes('tests/refunds.test.ts'));
  assert.ok(!byServer.includes('tests/journeys/menu.test.ts'));
  assert.ok(affectedBy('src/ui/controls/button.tsx').includes('tests/journeys/menu.test.ts'));
});

test('a change of the dependencies or a migration selects the tests that it may affect', () => {
  assert.deepEqual(affectedBy('package-lock.json'), [...tests]);
  const byMigration = affectedBy('db/migrations/0001_catalogue.sql');
  assert.ok(byMigration.includes('tests/orders.test.ts'));
});

test('files are selected by parts of their paths and by the names of tests', () => {
  const everything = { name: null, changedSince: null };
  assert.deepEqual(selectTests({ ...everything, parts: ['tests/cart.test', 'journeys/menu'] }), [
    'tests/cart.test.ts',
    'tests/journeys/menu.test.ts',
  ]);
  assert.deepEqual(selectTests({ ...everything, parts: ['no such file'] }), []);
  assert.ok(mayHold(graph, 'scripts/test/select-tests.test.ts', /names of tests/));
  assert.ok(!mayHold(graph, 'scripts/build/build-inputs.test.ts', /a title that no file has/));
  assert.ok(mayHold(graph, 'tests/journeys/every-prepared-page.test.ts', /page: cart/), 'declared by a support file');
});

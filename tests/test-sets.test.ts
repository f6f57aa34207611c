/** The two sets of tests: every requirement has a test, and docs/testing.md lists what the first set leaves out. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { listTests } from '../scripts/test/select-tests.ts';
import { isInFirstSet, SECOND_SET, SECOND_SET_REQUIREMENTS } from '../scripts/test/test-sets.ts';

const read = (path: string): string => readFileSync(path, 'utf8');
const ID = /\[([A-Z]{2,5}-\d{2})\]/g;

/** Ids in the titles of these files. */
const listIds = (files: readonly string[]): Set<string> =>
  new Set(files.flatMap((file) => [...read(file).matchAll(ID)].map(([, id = '']) => id)));

test('every requirement has a test in the first set, or a reason', () => {
  const required = [...read('docs/requirements.md').matchAll(/^- ([A-Z]{2,5}-\d{2})\b/gm)].map(([, id = '']) => id);
  assert.ok(required.length > 150, `only ${required.length} requirements were read`);
  const tests = listTests();
  const inFirst = listIds(tests.filter(isInFirstSet));
  const excused = new Set(SECOND_SET_REQUIREMENTS.flatMap(({ ids }) => ids));
  assert.deepEqual(
    required.filter((id) => !inFirst.has(id)),
    required.filter((id) => excused.has(id)),
  );
  const inAny = listIds([...tests, ...globSync('tests/support/**/*.ts')]);
  assert.deepEqual(
    required.filter((id) => !inAny.has(id)),
    [],
  );
});

test('the second set names each of its files once', () => {
  const files = SECOND_SET.flatMap(({ files: some }) => some);
  assert.deepEqual(
    files.filter((file, index) => files.indexOf(file) !== index || !existsSync(file)),
    [],
  );
});

test('the documentation lists the second set', () => {
  const rows = [
    ...SECOND_SET.map(({ reason, files }) => [reason, files] as const),
    ...SECOND_SET_REQUIREMENTS.map(({ reason, ids }) => [`Requirements: ${reason}`, ids] as const),
  ].map(
    ([reason, names]) => `| ${reason} | ${names.map((name) => `\`${name.replace(/\.test\.ts$/, '')}\``).join(' ')} |`,
  );
  const documentation = read('docs/testing.md');
  for (const row of rows) assert.ok(documentation.includes(row), `docs/testing.md lacks this row:\n${row}`);
});

import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { CHUNK_GROUPS } from './chunk-groups.ts';

/** The module of the frame, which is a folder of its own with what it imports. */
const FRAME = 'src/root.tsx';

/** Of a module; null if none of the groups that name folders has it. */
function findGroup(file: string): string | null {
  const group = CHUNK_GROUPS.find((one) => 'test' in one && one.test.test(`/shop/${file}`));
  return typeof group?.name === 'string' ? group.name : null;
}

const modules = globSync('src/**/*.{ts,tsx}')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !file.includes('.test.') && file !== FRAME);
const folders = Map.groupBy(modules, (file) => path.posix.dirname(file));

test('the modules of a folder are in one group of chunks', () => {
  assert.ok(folders.size > 100, `only ${folders.size} folders were found`);
  const divided = [...folders].filter(([, files]) => new Set(files.map(findGroup)).size > 1);
  assert.deepEqual(divided, []);
});

test('each folder of src/ui is in a group of chunks', () => {
  const forgotten = [...folders].filter(([folder, [file = '']]) => /^src\/ui(?:\/|$)/.test(folder) && !findGroup(file));
  assert.deepEqual(
    forgotten.map(([folder]) => folder),
    [],
    'name the folder in scripts/build/chunk-groups.ts',
  );
});

test('the styles of src/ui are in the group of every page', () => {
  const styles = globSync('src/ui/**/*.css').map((file) => file.replaceAll('\\', '/'));
  assert.ok(styles.length > 10);
  assert.deepEqual(
    styles.filter((file) => findGroup(file) !== 'shop'),
    [],
  );
});

/** The page about the law names for each duty a test, or says that only the merchant can fulfil it. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { test } from 'node:test';

const COLLEAGUES = /^(?:OPS-2[789]|RET-0[1-8])$/;
const ID = /\b[A-Z]+-\d{2}\b/g;

/** Cells of each duty. */
const readRows = (): readonly (readonly string[])[] =>
  readFileSync('docs/law.md', 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| ---') && !line.startsWith('| duty'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );

async function listTestedIds(): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for await (const file of glob('{src,tests}/**/*.test.ts')) {
    if (file === 'tests/law.test.ts') continue;
    for (const [, title = ''] of (await readFile(file, 'utf8')).matchAll(
      /\btest\(\s*[`'"]((?:\[[A-Z]+-\d{2}\] ?)+)/g,
    )) {
      for (const [id] of title.matchAll(ID)) ids.add(id);
    }
  }
  return ids;
}

test('[RET-09] each duty names a tested id or what only the merchant can do', async () => {
  const rows = readRows();
  assert.ok(rows.length >= 20, `${rows.length} duties`);
  const tested = await listTestedIds();
  const described = new Set(readFileSync('docs/requirements.md', 'utf8').match(ID));
  for (const cells of rows) {
    assert.equal(cells.length, 5, cells.join(' | '));
    const [duty = '', source = '', where = '', named = '', merchant = ''] = cells;
    assert.ok(
      [source, where, merchant].every((cell) => cell !== ''),
      duty,
    );
    const ids = named.match(ID) ?? [];
    if (ids.length === 0) {
      assert.ok(named === 'Merchant' && merchant.length > 10, `${duty}: neither an id nor the merchant`);
      continue;
    }
    for (const id of ids) {
      // The lines of requirements.md may come with another change.
      assert.ok(tested.has(id) || described.has(id) || COLLEAGUES.test(id), `${duty}: ${id} has no test`);
    }
  }
});

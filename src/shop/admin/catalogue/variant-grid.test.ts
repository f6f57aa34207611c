import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { NEW_VARIANT } from './product-form.ts';
import {
  describeFill,
  describePaste,
  editVariants,
  isBlock,
  listFills,
  parsePastedCells,
  placeCells,
  splitEdits,
} from './variant-grid.ts';

/** As a spreadsheet copies a cell. */
const copyCell = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const cell = fc.string().map((text) => text.replaceAll(/\s+/g, ' ').trim());

test('[OPS-08] a block that a spreadsheet copied is read cell by cell', () => {
  const block = fc.integer({ min: 1, max: 4 }).chain((width) =>
    // A line without a character is no row.
    fc.array(fc.tuple(fc.constant('x'), ...Array.from({ length: width }, () => cell)), { minLength: 1, maxLength: 6 }),
  );
  fc.assert(
    fc.property(block, fc.constantFrom('\n', '\r\n'), fc.boolean(), (rows, end, isEnded) => {
      const text = rows.map((row) => row.map(copyCell).join('\t')).join(end) + (isEnded ? end : '');
      assert.deepEqual(parsePastedCells(text), rows);
    }),
  );
  assert.deepEqual(parsePastedCells('1\t\n"a\nb"\t"say ""x"""'), [
    ['1', ''],
    ['a b', 'say "x"'],
  ]);
  // An inch is no quotation.
  assert.deepEqual(parsePastedCells('13" case\t5\n"half'), [['13" case', '5'], ['"half']]);
  assert.deepEqual(['799', '799\n', '7\t9'].map(isBlock), [false, true, true]);
});

test('[OPS-08] each pasted cell lands in the grid or is counted as left out', () => {
  const size = fc.record({ rows: fc.integer({ min: 1, max: 6 }), columns: fc.integer({ min: 1, max: 5 }) });
  fc.assert(
    fc.property(size, fc.nat(5), fc.nat(4), size, (grid, row, column, { rows, columns }) => {
      const at = { row: Math.min(row, grid.rows - 1), column: Math.min(column, grid.columns - 1) };
      const block = Array.from({ length: rows }, (_, y) => Array.from({ length: columns }, (__, x) => `${y} ${x}`));
      const { cells, beyond } = placeCells(block, at, grid);
      assert.equal(cells.length, (rows - beyond.rows) * (columns - beyond.columns));
      for (const one of cells) {
        assert.ok(one.row < grid.rows && one.column < grid.columns);
        assert.equal(one.text, `${one.row - at.row} ${one.column - at.column}`);
      }
    }),
  );
});

test('[OPS-08] a copied column of a whole spreadsheet is pasted as far as the grid goes', () => {
  const grid = { rows: 2, columns: 4 };
  const paste = (text: string) => placeCells(parsePastedCells(text), { row: 0, column: 0 }, grid);
  const { beyond, cells } = paste('7\n'.repeat(200_000));
  assert.deepEqual([cells.map(({ text }) => text), beyond], [['7', '7'], { rows: 199_998, columns: 0 }]);
  // A quotation that never ends, and one with very many quotation marks.
  assert.equal(paste(`"${'a\n'.repeat(200_000)}`).beyond.rows, 199_998);
  assert.equal(paste(`"${'""'.repeat(200_000)}"`).cells.length, 1);
});

test('[OPS-08] the message of a paste says what did not fit', () => {
  assert.equal(describePaste(1, { rows: 0, columns: 0 }), 'Pasted 1 cell.');
  assert.equal(
    describePaste(6, { rows: 2, columns: 1 }, 3),
    'Pasted 6 cells. Left out, because the table ends: 2 rows and 1 column. Left out, because the variant has no such field yet: 3 cells.',
  );
  assert.equal(describeFill(2, '5'), 'Filled 2 cells below with 5.');
  assert.equal(describeFill(1, ''), 'Emptied 1 cell below.');
});

test('[OPS-08] filling down changes cells below that differ, and nothing else', () => {
  const keys = ['a', 'b', 'c', 'd'];
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.constantFrom('', '1', '2')), { minLength: 4, maxLength: 4 }),
      fc.nat(3),
      (texts, from) => {
        const read = (key: string) => texts[keys.indexOf(key)] ?? null;
        const edits = listFills(keys, from, 'price' as const, read);
        const filled = new Map(edits.map(({ key, text }) => [key, text]));
        for (const [at, key] of keys.entries()) {
          const before = texts[at] ?? null;
          const isFilled = at > from && before !== null && texts[from] !== null;
          assert.equal(filled.get(key) ?? before, isFilled ? texts[from] : before);
          assert.ok(!filled.has(key) || filled.get(key) !== before);
        }
      },
    ),
  );
});

test('[OPS-08] edits of cells keep everything else of the variants', () => {
  const before = { a: { ...NEW_VARIANT, sku: 'S', isPublished: false }, b: NEW_VARIANT };
  const edits = [
    { key: 'a', column: 'price', text: '5' },
    { key: 'a', column: 'weight', text: '80' },
    { key: 'c', column: 'sku', text: 'T' },
  ] as const;
  assert.deepEqual(editVariants(before, edits), {
    a: { ...NEW_VARIANT, sku: 'S', isPublished: false, price: '5', weight: '80' },
    b: NEW_VARIANT,
    c: { ...NEW_VARIANT, sku: 'T' },
  });
});

test('[OPS-05] [OPS-08] edits of costs and stock are apart from those of the product', () => {
  const price = { key: 'a', column: 'price', text: '5' } as const;
  assert.deepEqual(
    splitEdits([
      price,
      { key: 'b', column: 'cost', text: '3' },
      { key: '', column: 'cost', text: '' },
      { key: 'b', column: 'stock', text: '7' },
    ]),
    { ofVariants: [price], extras: { cost: { b: '3', '': '' }, stock: { b: '7' } } },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createTestDatabase } from '../../../../tests/support/database.ts';
import { openImportBench } from '../../../../tests/support/imports/import-bench.ts';
import { SeparatorEvidence, readSeparator } from './decimal-separator.ts';
import { parseGrams } from './parse-cells.ts';

const COMMA = '“1.234” is read as 1234 g, since other numbers of the file have a comma before their decimals';

test('[OPS-12] [FMT-04] reads a weight as the other numbers of the file are written', async () => {
  const { db } = await createTestDatabase();
  const bench = await openImportBench(db);
  const readFile = async (rows: readonly string[], delimiter = ',') => {
    const lines = ['Handle,Title,Vendor,Type,Variant Price,Variant Grams'.replaceAll(',', delimiter), ...rows];
    const { id } = await bench.check(lines.join('\n'));
    const problems = (await bench.imports.listProblems(id, 1)).rows.filter(({ column }) => column === 'Variant Grams');
    const weights = (await bench.imports.listChangedProducts(id, 1, 'manager')).rows.map(
      ({ changes }) => changes.find(({ field }) => field === 'Weight')?.after,
    );
    await bench.imports.cancel(id, {
      kind: 'staff',
      userId: bench.userId,
      username: 'importer',
      ip: null,
      userAgent: null,
    });
    return { weights, problems: problems.map(({ severity, line, message }) => `${severity} ${line}: ${message}`) };
  };
  const unclear = 'error 2: “1.234” is unclear. Write 1234 or 1.2340';
  assert.deepEqual(await readFile(['a,A,Acme,Tools,"12,50",1.234']), {
    weights: ['1234 g'],
    problems: [`notice 2: ${COMMA}`],
  });
  assert.deepEqual(await readFile(['a;A;Acme;Tools;12,50;1.234'], ';'), {
    weights: ['1234 g'],
    problems: [`notice 2: ${COMMA}`],
  });
  assert.deepEqual(await readFile(['a,A,Acme,Tools,12.50,1.234']), { weights: ['1 g'], problems: [] });
  assert.deepEqual(await readFile(['a;A;Acme;Tools;12.50;1.234'], ';'), { weights: ['1 g'], problems: [] });
  // Nothing shows what the point is, or both separators stand before decimals.
  assert.deepEqual(await readFile(['a,A,Acme,Tools,12,1.234']), { weights: [], problems: [unclear] });
  assert.deepEqual((await readFile(['a,A,Acme,Tools,12.50,1.234', 'b,B,Acme,Tools,"9,90",2'])).problems, [unclear]);
});

const group = (digits: string, separator: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, separator);

test('[OPS-12] [FMT-04] reads the weights of a file in every notation, or refuses them', () => {
  const number = fc.record({
    whole: fc.integer({ min: 0, max: 999_999 }),
    fraction: fc.stringMatching(/^\d{0,5}$/),
    isGrouped: fc.boolean(),
  });
  const notation = fc.constantFrom<readonly [thousands: string, decimal: string]>(
    [',', '.'],
    ['.', ','],
    [' ', ','],
    [' ', '.'],
  );
  fc.assert(
    fc.property(notation, fc.array(number, { minLength: 1, maxLength: 6 }), ([thousands, decimal], numbers) => {
      const texts = numbers.map(({ whole, fraction, isGrouped }) => {
        const digits = isGrouped ? group(String(whole), thousands) : String(whole);
        return fraction === '' ? digits : `${digits}${decimal}${fraction}`;
      });
      const evidence = new SeparatorEvidence();
      for (const text of texts) evidence.add({ line: 1, cells: { grams: text } });
      assert.ok(evidence.separator === null || evidence.separator === decimal, texts.join(' | '));
      for (const [at, text] of texts.entries()) {
        const parsed = parseGrams(text, evidence.separator);
        const { whole = 0, fraction = '' } = numbers[at] ?? {};
        const exact = Number(`${whole}.${fraction}0`);
        const expected = exact > 0 ? Math.max(1, Math.round(exact)) : null;
        if (parsed.ok) assert.equal(parsed.value, expected, text);
        // Only what can be read in two ways is refused.
        else assert.ok(evidence.separator === null && /^[1-9]\d*[.,]\d{3}$/.test(text), text);
      }
    }),
    { numRuns: 1000 },
  );
});

test('[FMT-04] knows the separator that a number shows', () => {
  for (const [text, separator] of [
    ['12,50', ','],
    ['$1,299.00', '.'],
    ['1.299,50', ','],
    ['1.234.567', ','],
    ['0.400', '.'],
    ['12345.678', '.'],
    ['1.234', null],
    ['1,234', null],
    ['1234', null],
    ['1.2,3.4', null],
    ['abc', null],
  ] as const) {
    assert.equal(readSeparator(text), separator, text);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatCsvCell, formatCsvLine, formatCsvLineWithNumbers, unescapeFormula } from './csv-line.ts';

/** Parses a line as RFC 4180 describes. */
function readCsv(line: string): string[] {
  const cells: string[] = [];
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  for (let found = cell.exec(line); found !== null; found = cell.exec(line)) {
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '');
    if (found[3] === '\r\n' && cell.lastIndex === line.length) return cells;
  }
  throw new Error(`invalid line: ${line}`);
}

test('cells are quoted where needed and are never formulas', () => {
  assert.equal(formatCsvCell('CM-100001'), 'CM-100001');
  assert.equal(formatCsvCell(''), '');
  assert.equal(formatCsvCell('a, "b"'), '"a, ""b"""');
  assert.equal(formatCsvCell('two\r\nlines'), '"two\r\nlines"');
  for (const formula of ['=1+1', '+1', '-1', '@SUM(A1)', '=cmd|calc', '＝1+1', '＠A1', '=HYPERLINK(1)']) {
    assert.equal(formatCsvCell(formula), `'${formula}`);
  }
  assert.equal(formatCsvCell(' =1+1'), `' =1+1`);
  assert.equal(formatCsvCell('\t=1'), `'\t'=1`);
  assert.equal(formatCsvCell('\rx'), `"'\rx"`);
  assert.equal(formatCsvCell('two;=1+1'), `"two;'=1+1"`);
  assert.equal(formatCsvCell('two\t@A1'), `two\t'@A1`);
  assert.equal(formatCsvCell('two; "=1'), `"two;' ""=1"`);
  assert.equal(formatCsvCell('one\n\n- two'), `"one\n\n'- two"`);
  assert.equal(formatCsvCell('1;2\r\n3'), `"1;2\r\n3"`);
  assert.equal(formatCsvLine(['a', '=b', 'c,d']), `a,'=b,"c,d"\r\n`);
});

test('[OPS-16] negative numbers stay numbers in columns of numbers only', () => {
  assert.equal(formatCsvLineWithNumbers(['-1.50', '-1.50', '-1+1'], new Set([1, 2])), `'-1.50,-1.50,'-1+1\r\n`);
});

test('[OPS-12] lines are parsed back unchanged, formulas too', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(...'=+-@,;"\r\n\t \''.split('')), fc.string({ maxLength: 1 })),
  });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 6 }), (cells) => {
      const read = readCsv(formatCsvLine(cells));
      assert.deepEqual(read.map(unescapeFormula), cells);
      for (const cell of read) {
        assert.doesNotMatch(cell, /^\s*[=+\-@＝＋－＠]|^[\t\r\n]|;[\t\r]/);
        for (const part of cell.split(/[;\t\r\n]/)) assert.doesNotMatch(part, /^["\s]*[=+\-@＝＋－＠]/);
      }
    }),
    { numRuns: 500 },
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { formatCsvLine, unescapeFormula } from './csv-line.ts';
import { CsvFileError, detectDelimiter, detectEncoding, readCsv } from './read-csv.ts';
import type { ByteSource, CsvLine } from './read-csv.ts';

const LIMITS = { maxRecordLength: 100_000, maxColumns: 300 };

const toSource = (bytes: Uint8Array, pieceLength = 7): ByteSource =>
  async function* () {
    for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength);
  };

async function read(bytes: Uint8Array | string, pieceLength?: number): Promise<CsvLine[]> {
  const source = toSource(Buffer.from(bytes), pieceLength);
  const lines: CsvLine[] = [];
  for await (const line of readCsv(source, await detectEncoding(source), LIMITS)) lines.push(line);
  return lines;
}

test('[OPS-12] reads a byte order mark, CRLF, quotes, line breaks and blank lines', async () => {
  assert.deepEqual(await read('\uFEFFa,b\r\n"x\r\ny, ""z""",2\r\n\r\n3\n"4",é'), [
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['x\r\ny, "z"', '2'] },
    { line: 5, cells: ['3'] },
    { line: 6, cells: ['4', 'é'] },
  ]);
  assert.deepEqual(await read(''), []);
});

test('[OPS-12] reads semicolons, tabs, Windows-1252 and UTF-16', async () => {
  assert.equal(detectDelimiter('"a;b;c",d,e\n1;2;3;4'), ',');
  assert.deepEqual((await read('a;b\n1,5;2\n'))[1]?.cells, ['1,5', '2']);
  assert.deepEqual((await read('a\tb\n1;5\t2\n'))[1]?.cells, ['1;5', '2']);
  const western = Buffer.from([0x61, 0x0a, 0xe9, 0x80]);
  assert.equal(await detectEncoding(toSource(western)), 'windows-1252');
  assert.deepEqual((await read(western))[1]?.cells, ['é€']);
  assert.deepEqual((await read(Buffer.from('\uFEFFa\tb\né\t2', 'utf16le')))[1]?.cells, ['é', '2']);
});

test('[OPS-12] skips a first line that names the delimiter', async () => {
  for (const [first, delimiter] of [
    ['sep=,', ','],
    ['\uFEFFSEP=;', ';'],
    ['"sep=|"', '|'],
    ['sep=\t', '\t'],
  ] as const) {
    const file = `${first}\r\na,x${delimiter}b;y\r\n"1\r\n2"${delimiter}3\r\n`;
    const expected = file.split('\r\n')[1]?.split(delimiter);
    assert.deepEqual(
      await read(file, 3),
      [
        { line: 2, cells: expected },
        { line: 3, cells: ['1\r\n2', '3'] },
      ],
      first,
    );
  }
  assert.deepEqual(await read('sep=,'), []);
  assert.deepEqual((await read('separator\n1'))[0]?.cells, ['separator']);
});

const describeRead = async (bytes: Uint8Array | string): Promise<string> => {
  try {
    return `${(await read(bytes, 50_000)).length} lines`;
  } catch (error) {
    if (!(error instanceof CsvFileError)) throw error;
    return `${error.line} ${error.message}`;
  }
};

test('[OPS-12] reports where a file is damaged', async () => {
  assert.match(await describeRead('a,b\n1,"2"x\n'), /^2 A quotation mark is not followed/);
  assert.match(await describeRead('a,b\n1,2"x\n'), /^2 A quotation mark is inside/);
  assert.match(await describeRead('a,b\n1,2\n3,"4\n5,6'), /^\d A cell starts with a quotation mark/);
  assert.match(await describeRead('a,b\n1,\u0000'), /^2 Cell 2 of the line has characters/);
  assert.match(await describeRead(','.repeat(1000)), /^1 The line has 1001 cells/);
  assert.match(await describeRead(`a\n${'"'.repeat(2_000_000)}`), /^\d+ The line is too long/);
  assert.match(await describeRead(Buffer.from([0x50, 0x4b, 3, 4])), /^1 This is a workbook/);
});

test('[OPS-12] reads every written file back, in pieces of any length', async () => {
  const cell = fc.string({ unit: fc.constantFrom(...Array.from('ab=+-@,;"\r\n\t \'éäß€😀')), maxLength: 8 });
  const rows = fc.array(fc.tuple(fc.constant('x'), cell, cell), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 40 }), async (written, pieceLength) => {
      const texts = [['Handle', 'Title', 'Tags'], ...written].map(formatCsvLine);
      const lines = await read(texts.join(''), pieceLength);
      assert.deepEqual(
        lines.slice(1).map(({ cells }) => cells.map(unescapeFormula)),
        written,
      );
      const firstLines = texts.map(
        (_, at) =>
          texts
            .slice(0, at)
            .join('')
            .split(/\r\n|\r|\n/).length,
      );
      assert.deepEqual(
        lines.map(({ line }) => line),
        firstLines,
      );
    }),
    { numRuns: 300 },
  );
});

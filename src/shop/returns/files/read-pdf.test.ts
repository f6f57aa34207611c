import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { readPdf } from './read-pdf.ts';

const toBytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const PDF = '%PDF-1.7\n1 0 obj\n<<>>\nendobj\nxref\n0 1\ntrailer\n<<>>\nstartxref\n29\n%%EOF';

test('[RET-06] a PDF begins and ends as one', () => {
  for (const whole of [PDF, `${PDF}\n`, `${PDF}\r\n${' '.repeat(900)}`, PDF.replace('1.7', '2.0')])
    assert.equal(readPdf(toBytes(whole)), 'whole');
  assert.equal(readPdf(toBytes(PDF.replace(/\n/g, '\r\n'))), 'whole');
  // The end is missing, was overwritten, or is far from the last byte.
  for (const cut of ['%PDF-1.7\n', PDF.slice(0, -3), PDF.replace('startxref', ''), `${PDF}${'x'.repeat(1100)}`])
    assert.equal(readPdf(toBytes(cut)), 'cut');
  for (const other of ['', 'startxref\n0\n%%EOF', ` ${PDF}`, `<html>${PDF}`, '%PDF-3.0\nstartxref\n0\n%%EOF'])
    assert.equal(readPdf(toBytes(other)), null);
});

test('[RET-06] no part of a PDF that was cut off counts as whole', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: PDF.length - 1 }), (length) => {
      assert.notEqual(readPdf(toBytes(PDF.slice(0, length))), 'whole');
    }),
  );
});

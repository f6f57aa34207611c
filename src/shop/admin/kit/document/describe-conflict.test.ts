import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeConflict, describePath } from './describe-conflict.ts';

const base = { tax_name: 'VAT', rates: [{ country: 'DE', standard: '19' }] };
const conflict = {
  what: 'these tax settings',
  base,
  mine: { ...base, tax_name: 'MwSt' },
  theirs: { tax_name: 'Tax', rates: [{ country: 'DE', standard: '21' }] },
  known: null,
};
const known = { by: 'dana', at: '2026-03-01T10:00:00.000Z', fields: [{ path: 'tax_name', label: 'Name of the tax' }] };

test('a conflict names who changed it, and the reader in another window', () => {
  assert.equal(describeConflict({ ...conflict, known }, 'ole').title, 'dana changed these tax settings');
  assert.equal(
    describeConflict({ ...conflict, known }, 'dana').title,
    'You changed these tax settings in another window',
  );
  assert.equal(describeConflict(conflict, 'dana').title, 'Someone changed these tax settings');
  assert.equal(
    describeConflict({ ...conflict, known: { ...known, by: null } }, null).title,
    'Someone changed these tax settings',
  );
});

test('the fields of the shop are shown, with values where the form has the same field', () => {
  assert.deepEqual(describeConflict({ ...conflict, known }, 'ole').fields, [
    { label: 'Name of the tax', isMine: true, values: { before: 'VAT', after: 'Tax', mine: 'MwSt' } },
  ]);
});

test('a field whose path is an id has the label that the document gives it', () => {
  const id = '01a2294d-857e-7234-bd82-f24f2bccaa17';
  const stock = { what: 'the stock', base: { [id]: '3' }, mine: { [id]: '5' }, theirs: { [id]: '8' }, known: null };
  assert.deepEqual(describeConflict(stock, null).fields, [], 'an id says nothing');
  const labels = new Map([[id, 'Units on hand of 256GB, Blue']]);
  assert.deepEqual(describeConflict({ ...stock, labels }, null).fields, [
    { label: 'Units on hand of 256GB, Blue', isMine: true, values: { before: '3', after: '8', mine: '5' } },
  ]);
});

test('a field of the form is found by the name that the shop has for it', () => {
  const form = {
    what: 'this promotion',
    names: { value: 'discount' },
    base: { value: '10', minimum: '' },
    mine: { value: '20', minimum: '' },
    theirs: { value: '30', minimum: '50' },
  };
  const fields = [
    { path: 'discount_percent', label: 'Discount percent' },
    { path: 'minimum_subtotal_cents', label: 'Minimum subtotal' },
  ];
  assert.deepEqual(describeConflict({ ...form, known: { ...known, fields } }, 'ole').fields, [
    { label: 'Discount percent', isMine: true, values: { before: '10', after: '30', mine: '20' } },
    { label: 'Minimum subtotal', isMine: false, values: { before: 'empty', after: '50', mine: null } },
  ]);
});

test('fields that the shop does not name are compared in the browser', () => {
  assert.deepEqual(describeConflict({ ...conflict, known: { ...known, fields: [] } }, 'ole').fields, [
    { label: 'Tax name', isMine: true, values: { before: 'VAT', after: 'Tax', mine: 'MwSt' } },
    { label: 'Rates 1, standard', isMine: false, values: { before: '19', after: '21', mine: null } },
  ]);
  assert.deepEqual(describeConflict({ ...conflict, theirs: null }, 'ole').fields, []);
});

test('long texts have no values, and a label appears once', () => {
  const text = 'x'.repeat(100);
  const long = {
    what: 'this text',
    base: { a: text, id: '' },
    mine: { a: text, id: '' },
    theirs: { a: '', id: '' },
    known: null,
  };
  assert.deepEqual(describeConflict(long, null).fields, [{ label: 'A', isMine: false, values: null }]);
  assert.equal(describePath('zones.0.tiers.1.price'), 'Zones 1, tiers 2, price');
  assert.equal(describePath('variants.0e1d-9f.price'), 'Variants, price');
});

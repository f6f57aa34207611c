import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createPromotionFields } from '../../../../tests/support/promotion-fields.ts';
import { toLocalDateTime } from './local-date-time.ts';
import {
  chooseType,
  EMPTY_FORM,
  FORM_KINDS,
  getFormKind,
  parsePromotionForm,
  toPromotionForm,
} from './promotion-form.ts';
import { listPromotionTypes } from '#src/shop/promotions/promotion-types.ts';

const listProblems = (changed: Partial<typeof EMPTY_FORM>): string[] =>
  Object.keys(parsePromotionForm({ ...EMPTY_FORM, code: 'SPRING', value: '10', ...changed }).problems);

test('[OPS-11] an unchanged form sends what is stored, to the second', () => {
  const stored = createPromotionFields({
    discount_value: 12.5,
    starts_at: '2026-03-01T12:00:07.000Z',
    ends_at: '2026-03-29T01:30:00.000Z',
    minimum_subtotal_usd: 49.9,
    max_uses: 10,
    max_uses_per_user: 1,
    position: 3,
  });
  assert.deepEqual(parsePromotionForm(toPromotionForm({ ...stored, gift_product: null })).fields, stored);
});

test('[OPS-11] reports what is not a number, a date or a gift', () => {
  assert.deepEqual(listProblems({}), []);
  for (const value of ['', 'ten', '1e2', '-5', '$10', '0x10', '1,5,5', '1,234', 'NaN', 'Infinity'])
    assert.deepEqual(listProblems({ value }), ['discount_value'], value);
  assert.equal(parsePromotionForm({ ...EMPTY_FORM, code: 'A1', value: '12,5 %' }).fields?.discount_value, 12.5);
  const unclear = parsePromotionForm({ ...EMPTY_FORM, code: 'A1', value: '5', minimum: '1,000', maxUses: '1.000' });
  assert.deepEqual(unclear.problems, {
    minimum_subtotal_usd: '“1,000” is unclear. Write 1000 or 1.00',
    max_uses: '“1.000” is unclear. Write 1000 without a separator',
  });
  assert.deepEqual(listProblems({ maxUses: '1.5', maxUsesPerUser: 'x', minimum: '0', position: '' }), [
    'minimum_subtotal_usd',
    'max_uses',
    'max_uses_per_user',
    'position',
  ]);
  assert.deepEqual(listProblems({ starts: { typed: '2026-02-30Tx' }, ends: { typed: '' } }), ['starts_at']);
  assert.deepEqual(listProblems({ type: 'free_item', value: 'ignored' }), ['gift_product_id']);
});

test('[OPS-11] a date typed in the reader’s zone is stored as the same moment', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('2001-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }), (at) => {
      const minute = new Date(Math.floor(at.getTime() / 60_000) * 60_000);
      const typed = toLocalDateTime(minute.toISOString(), undefined);
      const { fields } = parsePromotionForm({ ...EMPTY_FORM, code: 'A1', value: '1', starts: { typed } });
      assert.equal(toLocalDateTime(fields?.starts_at ?? '', undefined), typed);
    }),
  );
  assert.equal(toLocalDateTime('2026-07-01T10:00:00Z', 'Europe/Berlin'), '2026-07-01T12:00');
  assert.equal(toLocalDateTime('2026-12-31T23:30:00Z', 'Europe/Berlin'), '2027-01-01T00:30');
  assert.equal(toLocalDateTime('2026-01-01T00:00:00Z', 'America/New_York'), '2025-12-31T19:00');
});

test('[OPS-11] the form has three kinds; a stored promotion keeps its type', () => {
  assert.deepEqual(
    FORM_KINDS.map(({ type }) => type),
    ['fixed_percent', 'fixed_amount', 'free_item'],
  );
  assert.deepEqual(new Set(listPromotionTypes().map(getFormKind)), new Set(FORM_KINDS));
  for (const type of listPromotionTypes()) {
    assert.equal(chooseType(type, getFormKind(type).type), type);
    for (const kind of FORM_KINDS) assert.equal(getFormKind(chooseType(type, kind.type)), kind);
    assert.equal(chooseType(type, 'none'), type);
  }
});

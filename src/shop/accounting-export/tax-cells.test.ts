import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cents } from '#src/shop/money.ts';
import { computeTax } from '#src/shop/tax/compute-tax.ts';
import { storeOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import { NO_TAX, resolveTaxation } from '#src/shop/tax/taxation.ts';
import { createTaxCells, TAX_COLUMNS } from './tax-cells.ts';

const settings = {
  ...NO_TAX,
  rates: [
    { country: 'DE', taxClass: 'standard', basisPoints: 1900 } as const,
    { country: 'DE', taxClass: 'reduced', basisPoints: 700 } as const,
  ],
};

test('[OPS-15] exports net, tax and shipping of an order, which add up', () => {
  const tax = computeTax(
    {
      lines: [
        { taxClass: 'standard', listCents: cents(11_900n) },
        { taxClass: 'reduced', listCents: cents(10_700n) },
      ],
      goodsCents: cents(22_600n),
      shipping: { name: 'Europe', cents: cents(595n) },
    },
    resolveTaxation(settings, { country: 'DE', vatNumber: null }),
  );
  const cells = createTaxCells({ totalCents: tax.grossCents, country: 'DE', tax: storeOrderTax(tax) });
  assert.deepEqual(cells, ['231.95', '205.00', '26.95', '19%: 19.95; 7%: 7.00', '5.95', 'DE', '', '']);
});

test('[OPS-15] exports an order from before tax without tax', () => {
  const cells = createTaxCells({ totalCents: cents(99_900n), country: 'GB', tax: null });
  assert.deepEqual(cells, ['999.00', '999.00', '0.00', '', '0.00', 'GB', '', '']);
  assert.deepEqual(
    createTaxCells(null),
    TAX_COLUMNS.map(() => ''),
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatExportName } from './export-name.ts';

test('[OPS-05] names of exports have what they contain and its days', () => {
  assert.equal(
    formatExportName('sales-by-product', { from: '2026-11-01', to: '2026-11-30' }),
    'sales-by-product-2026-11.csv',
  );
  assert.equal(formatExportName('orders', { from: '2028-02-01', to: '2028-02-29' }), 'orders-2028-02.csv');
  assert.equal(
    formatExportName('orders', { from: '2026-02-01', to: '2026-02-27' }),
    'orders-2026-02-01-to-2026-02-27.csv',
  );
  assert.equal(formatExportName('orders', { from: '2026-02-03', to: '2026-02-03' }), 'orders-2026-02-03.csv');
  assert.equal(formatExportName('orders', { from: '2026-02-03' }), 'orders-from-2026-02-03.csv');
  assert.equal(formatExportName('orders', { to: '2026-02-03' }), 'orders-to-2026-02-03.csv');
  assert.equal(formatExportName('orders', {}), 'orders.csv');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { InvoiceContent, NationalTax } from './invoice-content.ts';
import { layOutInvoice } from './layout-invoice.ts';

const AMOUNTS = { netCents: '10000', taxCents: '2000', grossCents: '12000' };
const SELLER = { name: 'Shop', company: '', address: '', registrationNumber: '', taxNumber: '', email: '', phone: '' };

function print(national: NationalTax): string {
  const content: InvoiceContent = {
    version: 1,
    kind: 'invoice',
    number: 'INV-2026-000001',
    issuedAt: '2026-11-29T12:00:00.000Z',
    orderNumber: '1001',
    orderedAt: '2026-11-29T11:00:00.000Z',
    paidAt: '2026-11-29T11:30:00.000Z',
    seller: SELLER,
    buyer: { name: 'Ada', street: '', city: '', country: 'SE', vatNumber: null },
    priceMode: 'gross',
    taxName: 'VAT',
    isTaxed: true,
    isReverseCharge: false,
    lines: [],
    rates: [],
    ...AMOUNTS,
    national,
    payment: null,
    corrects: null,
    refund: null,
  };
  return JSON.stringify(layOutInvoice(content).blocks);
}

test('[OPS-16] an invoice prints the published rates that its rate is computed from', () => {
  const rate = { rate: '9.46177106', rateDay: '2026-11-27', source: 'European Central Bank', taxCents: '18924' };
  const euro = { dollars: '1.1575', national: '10.9520' };
  assert.ok(
    print({ ...rate, currency: 'SEK', euro }).includes(
      'VAT in SEK: 189.24 SEK, at 1 USD = 9.46177106 SEK. Rate of the European Central Bank of 27 Nov 2026: 1 EUR = 1.1575 USD = 10.9520 SEK.',
    ),
  );
  assert.match(print({ ...rate, currency: 'EUR', euro }), /of 27 Nov 2026: 1 EUR = 1\.1575 USD\./);
  assert.match(print({ ...rate, currency: 'SEK' }), / SEK of 2026-11-27 \(European Central Bank\)\./);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { cents, centsPerBtc, sats } from '#src/shop/money.ts';
import { EMPTY_SHOP_SETTINGS } from '../../../tests/support/empty-shop-settings.ts';
import { computeTax } from '#src/shop/tax/compute-tax.ts';
import { storeOrderTax } from '#src/shop/tax/tax-snapshot.ts';
import { NO_TAX, resolveTaxation } from '#src/shop/tax/taxation.ts';
import { composeCreditNote, composeReversal } from './compose-credit-note.ts';
import type { CreditRequest } from './compose-credit-note.ts';
import { composeInvoice, toInvoiceSeller } from './compose-invoice.ts';
import type { LineToInvoice, OrderToInvoice } from './compose-invoice.ts';
import { formatCanonicalJson } from './invoice-content.ts';
import type { InvoiceAmounts, InvoiceContent } from './invoice-content.ts';
import { layOutInvoice } from './layout-invoice.ts';
import { createSalesRows, SALES_COLUMNS } from './sales-line.ts';

const AT = new Date('2026-03-01T12:00:00.000Z');
const DOCUMENT = { number: 'INV-2026-000001', issuedAt: AT, timeZone: 'UTC' };
const CREDIT = { number: 'CN-2026-000001', issuedAt: AT, timeZone: 'UTC' };
const SELLER = toInvoiceSeller(EMPTY_SHOP_SETTINGS);
const CLASSES = ['standard', 'reduced', 'super-reduced', 'zero'] as const;

const createOrder = (more: Partial<OrderToInvoice>): OrderToInvoice => ({
  orderNumber: 'CM-100001',
  createdAt: AT,
  paidAt: AT,
  billing: {
    firstName: 'Ada',
    lastName: 'Lovelace',
    region: 'Europe',
    country: 'DE',
    streetAddress: 'Elm Street',
    houseNumber: '45',
    city: 'Berlin',
    postcode: '10115',
  },
  totalCents: cents(0n),
  tax: null,
  dueSats: sats(900_000n),
  rate: centsPerBtc(11_100_000n),
  rateAt: AT.toISOString(),
  lines: [],
  received: [{ txid: 'ab'.repeat(32), sats: '900000' }],
  ...more,
});

const createLine = (position: number, priceCents: bigint, quantity: number, isFree = false): LineToInvoice => ({
  position,
  name: `Product ${position}`,
  sku: `SKU-${position}`,
  options: ['256GB', 'Blue'],
  quantity,
  priceCents: cents(priceCents),
  isFree,
});

const randomOrder = fc
  .record({
    lines: fc.array(
      fc.record({
        price: fc.bigInt(1n, 500_000n),
        quantity: fc.integer({ min: 1, max: 9 }),
        isFree: fc.boolean(),
        taxClass: fc.constantFrom(...CLASSES),
      }),
      { minLength: 1, maxLength: 6 },
    ),
    share: fc.bigInt(0n, 10_000n),
    shipping: fc.bigInt(0n, 5_000n),
    basisPoints: fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 3_000 })),
    priceMode: fc.constantFrom('gross', 'net'),
    isReverseCharge: fc.boolean(),
    hasTax: fc.boolean(),
  })
  .map(({ lines, share, shipping, basisPoints, hasTax, ...taxation }): OrderToInvoice => {
    const ordered = lines.map(({ price, quantity, isFree }, at) => createLine(at, price, quantity, isFree));
    const listed = lines.map(({ isFree, price, quantity, taxClass }) => ({
      taxClass,
      listCents: cents(isFree ? 0n : price * BigInt(quantity)),
    }));
    const goodsCents = cents((listed.reduce((sum, { listCents }) => sum + listCents, 0n) * share) / 10_000n);
    if (!hasTax) return createOrder({ lines: ordered, totalCents: goodsCents });
    const [standard, reduced] = basisPoints;
    const tax = computeTax(
      { lines: listed, goodsCents, shipping: { name: 'Worldwide', cents: cents(shipping) } },
      {
        ...resolveTaxation(NO_TAX, { country: 'DE', vatNumber: null }),
        ...taxation,
        isTaxed: true,
        rates: { standard, reduced, 'super-reduced': reduced, zero: 0 },
      },
    );
    return createOrder({ lines: ordered, totalCents: tax.grossCents, tax: storeOrderTax(tax) });
  });

const sum = (amounts: readonly InvoiceAmounts[], part: keyof InvoiceAmounts): bigint =>
  amounts.reduce((all, one) => all + BigInt(one[part]), 0n);

function assertSums(content: InvoiceContent): void {
  for (const part of ['netCents', 'taxCents', 'grossCents'] as const) {
    assert.equal(sum(content.lines, part), BigInt(content[part]), `lines: ${part}`);
    assert.equal(sum(content.rates, part), BigInt(content[part]), `rates: ${part}`);
  }
  assert.equal(BigInt(content.netCents) + BigInt(content.taxCents), BigInt(content.grossCents));
}

/** Each line is unit price times quantity less discount. Rounded unit prices of reverse charge may differ by half a cent each. */
function assertLines({ isReverseCharge, lines, priceMode }: InvoiceContent): void {
  for (const { discountCents, grossCents, netCents, quantity, unitCents } of lines) {
    const amount = BigInt(priceMode === 'gross' ? grossCents : netCents);
    const difference = BigInt(unitCents) * BigInt(quantity) - BigInt(discountCents) - amount;
    const isExact = difference === 0n;
    const isRounded = isReverseCharge && difference * difference <= BigInt(quantity * quantity);
    assert.ok(isExact || isRounded, `${unitCents} × ${quantity} − ${discountCents} ≠ ${amount}`);
    assert.ok(BigInt(discountCents) >= 0n);
  }
}

/** Cents of a column of the export, of all rows. */
const sumColumn = (rows: readonly string[][], name: (typeof SALES_COLUMNS)[number]): bigint =>
  rows.reduce((all, row) => all + BigInt((row[SALES_COLUMNS.indexOf(name)] ?? '').replace('.', '')), 0n);

test('[OPS-16] sums of lines equal order, invoice and sales export', () => {
  fc.assert(
    fc.property(randomOrder, (order) => {
      const invoice = composeInvoice(order, DOCUMENT, SELLER);
      assertSums(invoice);
      assertLines(invoice);
      assert.equal(invoice.grossCents, String(order.totalCents));
      const rows = createSalesRows(invoice);
      assert.ok(rows.every((row) => row.length === SALES_COLUMNS.length));
      assert.equal(sumColumn(rows, 'net_usd'), BigInt(invoice.netCents));
      assert.equal(sumColumn(rows, 'tax_usd'), BigInt(invoice.taxCents));
      assert.equal(sumColumn(rows, 'gross_usd'), order.totalCents);
    }),
    { numRuns: 500 },
  );
});

/** Units of a line, an amount of it, or hundredths of everything that is left. */
const creditStep = fc.record({
  at: fc.nat(9),
  isAmount: fc.boolean(),
  quantity: fc.integer({ min: 0, max: 9 }),
  share: fc.option(fc.nat(100)),
});

test('[OPS-16] [PAY-17] credit notes of units and amounts take back the whole invoice', () => {
  fc.assert(
    fc.property(randomOrder, fc.array(creditStep, { maxLength: 20 }), (order, steps) => {
      const invoice = composeInvoice(order, DOCUMENT, SELLER);
      const notes: InvoiceContent[] = [];
      const credit = (request: CreditRequest): bigint => {
        const note = composeCreditNote(invoice, notes, request, CREDIT, { refund: null });
        if (note === null) return 0n;
        assertSums(note);
        assertLines(note);
        notes.push(note);
        return BigInt(note.grossCents);
      };
      for (const { at, isAmount, quantity, share } of steps) {
        const left = BigInt(invoice.grossCents) - sum(notes, 'grossCents');
        if (share !== null) {
          const amount = (left * BigInt(share)) / 100n;
          if (amount > 0n) assert.equal(credit({ totalCents: cents(amount) }), amount, 'credit note = refund');
          continue;
        }
        const line = invoice.lines[at % invoice.lines.length];
        if (!line) continue;
        const { position } = line;
        // Also more than what is left: two refunds may have taken the same money.
        const take = (amount: string) => cents((BigInt(amount) * BigInt(quantity)) / 9n);
        const amounts = [{ position, netCents: take(line.netCents), taxCents: take(line.taxCents) }];
        credit(isAmount ? { amounts } : { units: [{ position, quantity }] });
        assert.ok(sum(notes, 'grossCents') <= BigInt(invoice.grossCents), 'never more than the invoice');
      }
      credit(null);
      credit(null);
      assert.equal(sum(notes, 'netCents'), BigInt(invoice.netCents));
      assert.equal(sum(notes, 'taxCents'), BigInt(invoice.taxCents));
      const rows = [invoice, ...notes].flatMap(createSalesRows);
      assert.equal(sumColumn(rows, 'gross_usd'), 0n);
    }),
    { numRuns: 500 },
  );
});

const createInvoice = (): InvoiceContent =>
  composeInvoice(
    createOrder({ lines: [createLine(0, 99_900n, 1), createLine(1, 5_000n, 2, true)], totalCents: cents(99_900n) }),
    DOCUMENT,
    { ...SELLER, name: 'Crypto Market', company: 'Crypto Market Ltd', taxNumber: 'GB123' },
  );

test('[OPS-16] refuses an order whose lines do not sum up', () => {
  const line = { ...createLine(0, 100n, 1) };
  const tax = storeOrderTax(
    computeTax(
      {
        lines: [{ taxClass: 'standard', listCents: cents(100n) }],
        goodsCents: cents(100n),
        shipping: { name: null, cents: cents(0n) },
      },
      resolveTaxation(NO_TAX, { country: 'DE', vatNumber: null }),
    ),
  );
  const order = createOrder({ lines: [line], tax, totalCents: cents(99n) });
  assert.throws(() => composeInvoice(order, DOCUMENT, SELLER), /sum up to 100, not 99/);
});

test('[OPS-16] a reversal takes back a credit note', () => {
  const invoice = createInvoice();
  const refund = { txid: 'cd'.repeat(32), sats: '900000' };
  const note = composeCreditNote(invoice, [], null, CREDIT, { refund });
  assert.ok(note);
  assert.deepEqual([note.corrects?.number, note.refund], ['INV-2026-000001', refund]);
  const reversal = composeReversal(note, { number: 'INV-2026-000002', issuedAt: AT, timeZone: 'UTC' });
  assert.deepEqual([reversal.kind, reversal.corrects?.number, reversal.refund], ['invoice', CREDIT.number, null]);
  const rows = [invoice, note, reversal].flatMap(createSalesRows);
  assert.equal(sumColumn(rows, 'gross_usd'), 99_900n);
});

const listTexts = (content: InvoiceContent): string => JSON.stringify(layOutInvoice(content).blocks);

test('[OPS-16] an invoice prints seller, buyer, lines, rate and transactions', () => {
  const texts = listTexts(createInvoice());
  for (const text of [
    'Crypto Market Ltd',
    'Tax number: GB123',
    'Ada Lovelace',
    'Elm Street 45',
    '10115 Berlin',
    'Germany',
    'Number: INV-2026-000001',
    'Order: CM-100001',
    'Product 0\\n256GB · Blue · SKU-0',
    '$999.00',
    '0.00900000 BTC',
    '1 BTC = $111,000.00 at 2026-03-01 12:00 UTC',
    'ab'.repeat(32),
    'No tax was charged on this order.',
  ]) {
    assert.ok(texts.includes(text), text);
  }
});

test('[OPS-16] a net-price invoice prints the tax of each rate', () => {
  const rates = { standard: 1900, reduced: 700, 'super-reduced': 0, zero: 0 };
  const lines = [createLine(0, 10_000n, 1), createLine(1, 1_000n, 2)];
  const order = (isReverseCharge: boolean): OrderToInvoice => {
    const tax = computeTax(
      {
        lines: [
          { taxClass: 'standard', listCents: cents(10_000n) },
          { taxClass: 'reduced', listCents: cents(2_000n) },
        ],
        goodsCents: cents(12_000n),
        shipping: { name: 'Europe', cents: cents(0n) },
      },
      {
        ...resolveTaxation(NO_TAX, { country: 'DE', vatNumber: null }),
        rates,
        priceMode: 'net',
        taxName: 'VAT',
        isTaxed: true,
        isReverseCharge,
      },
    );
    return createOrder({ lines, totalCents: tax.grossCents, tax: storeOrderTax(tax) });
  };
  const texts = listTexts(composeInvoice(order(false), DOCUMENT, SELLER));
  for (const text of ['VAT 19% · Standard rate', '$19.00', 'VAT 7% · Reduced rate', '$1.40', '$140.40', 'exclude VAT'])
    assert.ok(texts.includes(text), text);
  assert.match(listTexts(composeInvoice(order(true), DOCUMENT, SELLER)), /Reverse charge: the buyer owes the VAT\./);
});

/** An item for $119.00 and shipping for $5.95, for a business in another country. */
function createReverseChargeOrder(discount: bigint): OrderToInvoice {
  const tax = computeTax(
    {
      lines: [{ taxClass: 'standard', listCents: cents(23_800n) }],
      goodsCents: cents(23_800n - discount),
      shipping: { name: 'Europe', cents: cents(595n) },
    },
    resolveTaxation(
      {
        ...NO_TAX,
        homeCountry: 'DE',
        hasReverseCharge: true,
        rates: [{ country: 'DE', taxClass: 'standard', basisPoints: 1900 }],
      },
      { country: 'AT', vatNumber: 'ATU12345678' },
    ),
  );
  return createOrder({ lines: [createLine(0, 11_900n, 2)], totalCents: tax.grossCents, tax: storeOrderTax(tax) });
}

test('[OPS-16] a reverse charge invoice prints unit prices without tax', () => {
  for (const [discount, texts] of [
    [0n, ['$100.00', '$200.00', '$5.00', '$205.00']],
    [2_380n, ['$100.00', '−$20.00', '$180.00', '$185.00']],
    [23_800n, ['$100.00', '−$200.00', '$5.00']],
  ] as const) {
    const invoice = composeInvoice(createReverseChargeOrder(discount), DOCUMENT, SELLER);
    assertSums(invoice);
    assertLines(invoice);
    const printed = listTexts(invoice);
    for (const text of [...texts, 'Reverse charge: the buyer owes the VAT.', 'Unit prices and discounts exclude VAT.'])
      assert.ok(printed.includes(text), `${text} with a discount of ${discount}`);
    assert.doesNotMatch(printed, /119\.00|238\.00|5\.95/);
  }
});

test('[OPS-16] an order from before deducted rates has unit prices without tax', () => {
  const order = createReverseChargeOrder(2_380n);
  assert.ok(order.tax);
  const tax = structuredClone(order.tax);
  for (const line of tax.lines) Reflect.deleteProperty(line, 'deductedBasisPoints');
  const invoice = composeInvoice({ ...order, tax }, DOCUMENT, SELLER);
  assert.deepEqual(
    invoice.lines.map(({ discountCents, unitCents }) => [unitCents, discountCents]),
    [
      ['10000', '2000'],
      ['500', '0'],
    ],
  );
});

test('[OPS-16] a credit note names the seller of its invoice', () => {
  const invoice = createInvoice();
  const note = composeCreditNote(invoice, [], null, CREDIT, { refund: null });
  assert.ok(note);
  assert.deepEqual(note.seller, invoice.seller);
  assert.deepEqual(composeReversal(note, DOCUMENT).seller, invoice.seller);
});

test('[OPS-16] equal contents have equal canonical texts', () => {
  assert.equal(formatCanonicalJson({ b: [1, { d: 1, c: 2 }], a: null }), '{"a":null,"b":[1,{"c":2,"d":1}]}');
  const unordered = Object.fromEntries(Object.entries(createInvoice()).toReversed());
  assert.equal(formatCanonicalJson(unordered), formatCanonicalJson(createInvoice()));
});

test('[OPS-16] a reversal prints why the credit note is void', () => {
  const refund = { txid: 'cd'.repeat(32), sats: '900000' };
  for (const [of, reason] of [
    [refund, 'its refund was withdrawn'],
    [null, 'the order was paid after all'],
  ] as const) {
    const note = composeCreditNote(createInvoice(), [], null, CREDIT, { refund: of });
    assert.ok(note);
    assert.ok(listTexts(composeReversal(note, DOCUMENT)).includes(`${CREDIT.number}: ${reason}.`));
  }
});

test('[OPS-29] an invoice names numbers that were shipped before it was issued; a credit note names none', () => {
  const numbers = ['490154203237518', '356938035643809'];
  const lines = [{ ...createLine(0, 10_000n, 2), serials: numbers }, createLine(1, 500n, 1)];
  const invoice = composeInvoice(createOrder({ lines, totalCents: cents(20_500n) }), DOCUMENT, SELLER);
  assert.deepEqual(
    invoice.lines.map(({ serials }) => serials),
    [numbers, undefined],
  );
  assert.match(JSON.stringify(layOutInvoice(invoice)), /Serial numbers: 490154203237518, 356938035643809/);
  const refund = { txid: 'cd'.repeat(32), sats: '1' };
  for (const request of [null, { units: [{ position: 0, quantity: 1 }] }, { totalCents: cents(100n) }]) {
    const note = composeCreditNote(invoice, [], request, CREDIT, { refund });
    assert.ok(note?.lines.every(({ serials }) => serials === undefined));
    assert.doesNotMatch(JSON.stringify(note && layOutInvoice(note)), /Serial/);
  }
});

const sumNational = (contents: readonly InvoiceContent[]): bigint =>
  contents.reduce((all, one) => all + BigInt(one.national?.taxCents ?? '0'), 0n);

test('[OPS-16] credit notes convert tax at the rate of their invoice and sum up to its converted tax', () => {
  const national = { currency: 'EUR', rateE8: 86_012_345n, day: '2026-02-27', source: 'European Central Bank' };
  fc.assert(
    fc.property(randomOrder, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }), (order, quantities) => {
      const invoice = composeInvoice({ ...order, national }, DOCUMENT, SELLER);
      assert.equal(invoice.national === undefined, invoice.taxCents === '0');
      const notes: InvoiceContent[] = [];
      const refund = { txid: 'cd'.repeat(32), sats: '1' };
      for (const quantity of quantities) {
        const note = composeCreditNote(invoice, notes, { units: [{ position: 0, quantity }] }, CREDIT, { refund });
        if (note !== null) notes.push(note);
      }
      const rest = composeCreditNote(invoice, notes, null, CREDIT, { refund: null });
      if (rest !== null) notes.push(rest);
      if (invoice.grossCents !== '0') assert.equal(sumNational(notes), sumNational([invoice]));
      for (const note of notes) {
        assert.equal(note.national?.rate, invoice.national?.rate);
        assert.deepEqual(composeReversal(note, DOCUMENT).national, note.national);
      }
    }),
  );
  const untaxed = composeInvoice({ ...createOrder({ lines: [], national: null }) }, DOCUMENT, SELLER);
  assert.equal(untaxed.national, undefined);
});

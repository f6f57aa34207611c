import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { buildCatalogue } from '../../../../tests/support/build-catalogue.ts';
import type { ProductSketch } from '../../../../tests/support/build-catalogue.ts';
import { cents } from '#src/shop/money.ts';
import { applySalePrices } from '../sale-prices/present-prices.ts';
import { renderFeedItems, renderFeedStart } from './feed-item.ts';
import type { FeedVariant } from '../feed-variant.ts';
import { escapeXmlText } from './xml-text.ts';

const ORIGIN = 'https://shop.example';
const phone: ProductSketch = {
  name: 'Phone',
  cents: 79_905n,
  offers: { Memory: { '128GB': 0n }, Colour: { Blue: 100n } },
};
const open = (sketch: ProductSketch) => buildCatalogue([sketch]).products[0] ?? assert.fail('no product');
const variant: FeedVariant = {
  id: '019a0000-0000-7000-8000-000000000001',
  valueIds: ['phones/Colour/Blue', 'phones/Memory/128GB'],
  sku: 'P/1 & 2',
  gtin: '4006381333931',
  weightGrams: null,
  images: [],
  isAvailable: true,
};
const render = (change: Partial<FeedVariant> = {}, sketch = phone) =>
  renderFeedItems(open(sketch), [{ ...variant, ...change }], ORIGIN);
const read = (item: string, name: string): string | undefined => item.split(`<${name}>`)[1]?.split(`</${name}>`)[0];

test('[OPS-08] an item has the data of its variant', () => {
  const item = render();
  assert.deepEqual(
    ['id', 'item_group_id', 'title', 'description', 'link', 'price', 'availability', 'condition'].map((name) =>
      read(item, `g:${name}`),
    ),
    [
      'P/1 &amp; 2',
      'phone',
      'Phone (128GB, Blue)',
      'About it',
      `${ORIGIN}/catalog/product/phone?variant=P%2F1%20%26%202`,
      '800.05 USD',
      'in_stock',
      'new',
    ],
  );
  assert.deepEqual(
    ['image_link', 'brand', 'gtin', 'product_type', 'color', 'attribute_name', 'attribute_value'].map((name) =>
      read(item, `g:${name}`),
    ),
    [`${ORIGIN}/api/images/a.jpg`, 'Apple', '4006381333931', 'Phones', 'Blue', 'Memory', '128GB'],
  );
  assert.equal(read(render({ isAvailable: false }), 'g:availability'), 'out_of_stock');
});

const weigh = (weightGrams: number | null, ofProduct?: number) => {
  const product = { ...open(phone), ...(ofProduct === undefined ? {} : { weightGrams: ofProduct }) };
  return read(renderFeedItems(product, [{ ...variant, weightGrams }], ORIGIN), 'g:shipping_weight');
};

test('[OPS-31] an item has the weight of its variant, else that of the product', () => {
  assert.deepEqual(
    [weigh(850), weigh(850, 700), weigh(null, 700), weigh(null)],
    ['850 g', '850 g', '700 g', undefined],
  );
});

test('[OPS-08] an item uses its own price, pictures and id', () => {
  const own = { ...phone, ownPrices: [{ valueIds: variant.valueIds, cents: 5n }] };
  assert.equal(read(render({}, own), 'g:price'), '0.05 USD');
  const pictures = render({ images: ['/images/uploads/b.avif', '/images/none.avif'] });
  assert.equal(read(pictures, 'g:image_link'), `${ORIGIN}/api/images/uploads/b.jpg`);
  assert.equal(read(pictures, 'g:additional_image_link'), `${ORIGIN}/api/images/a.jpg`);
  assert.equal(read(render({ sku: 'x'.repeat(51) }), 'g:id'), variant.id);
  const single = render({ valueIds: [], gtin: null }, { name: 'Case' });
  assert.deepEqual(
    ['g:title', 'g:item_group_id', 'g:gtin'].map((name) => read(single, name)),
    ['Case', undefined, undefined],
  );
  assert.equal(render({ valueIds: ['phones/Colour/Blue'] }), '', 'a combination of former values');
});

test('[OPS-09] an item has both prices and the time of a sale price', () => {
  const [startsAt, recordedAt] = [new Date('2026-03-10T10:00:00.500Z'), new Date('2026-01-01T00:00:00Z')];
  const product = open(phone);
  const { basePriceCents, ownPrices, offered, unsold } = product;
  const increases = new Map(variant.valueIds.map((id, at) => [id, cents(at === 0 ? 100n : 0n)]));
  const reduceUntil = (
    endsAt: Date | null,
    records = [{ recordedAt, prices: { basePriceCents, increases, ownPrices, unsold } }],
  ) => {
    const salePrices = [{ id: 'sale', startsAt, endsAt, reduction: { kind: 'percent' as const, basisPoints: 2_000 } }];
    const pricing = { salePrices, records, normal: { basePriceCents, ownPrices, offered }, running: null };
    const present = applySalePrices({ ...product, pricing }, startsAt);
    return renderFeedItems(present, [variant], ORIGIN);
  };
  const names = ['g:price', 'g:sale_price', 'g:sale_price_effective_date'];
  const readAll = (item: string) => names.map((name) => read(item, name));
  assert.deepEqual(readAll(reduceUntil(new Date('2026-03-12T23:59:59Z'))), [
    '800.05 USD',
    '640.04 USD',
    '2026-03-10T10:00Z/2026-03-12T23:59Z',
  ]);
  assert.deepEqual(readAll(reduceUntil(null)), ['800.05 USD', '640.04 USD', undefined]);
  assert.deepEqual(readAll(reduceUntil(null, [])), ['640.04 USD', undefined, undefined], 'no earlier price');
});

/** Text of an XML element that contains no other; null if it is not well-formed. */
function parseText(xml: string): string | null {
  // oxlint-disable-next-line no-control-regex -- these are not allowed in XML
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF<>"']/.test(xml) || !xml.isWellFormed()) return null;
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(xml)) return null;
  const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
  return xml.replaceAll(/&(\w+);/g, (_, name: string) => entities[name] ?? '');
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xff_ff }).map((code) => String.fromCharCode(code))).map((list) => list.join('')),
  fc.constantFrom(']]>', '<![CDATA[x]]>', '&amp;', '\u0000<', '\uD800', '-->', '&#0;'),
);

test('[OPS-08] every text gives valid XML that reads back', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      // oxlint-disable-next-line no-control-regex -- these are not allowed in XML
      const legal = text.toWellFormed().replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '');
      assert.equal(parseText(escapeXmlText(text)), legal);
    }),
    { numRuns: 2000 },
  );
});

test('[OPS-08] items of any product are valid XML', () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (name, sku, gtin) => {
      const item = render({ valueIds: [], sku, gtin }, { name, brand: name, category: name });
      const start = renderFeedStart({ name, description: sku, origin: ORIGIN });
      for (const document of [item, start.slice(start.indexOf('<channel>'))]) {
        for (const part of document.replaceAll(/<\/?(?:g:)?[a-z_]+>/g, '\u0000').split('\u0000')) {
          assert.notEqual(parseText(part), null, JSON.stringify(part));
        }
      }
      assert.ok((read(item, 'g:title') ?? '').length <= 150 * 6);
    }),
  );
});

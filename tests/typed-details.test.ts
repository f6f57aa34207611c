/** Addresses, postcodes and telephone numbers as people type and paste them, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { findTraces } from './support/find-traces.ts';
import { listAt, textAt, valueAt } from './support/read-json.ts';
import { openRefundShop } from './support/refund-shop.ts';
import type { Buyer, RefundShop } from './support/refund-shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: RefundShop;
before(async () => {
  shop = await openRefundShop();
});
after(() => shop.shop.stop());

const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';

async function checkOut(buyer: Buyer, billing: Readonly<Record<string, string>>) {
  const made = await shop.shop.api('POST', '/cart/checkout', {
    token: buyer.token,
    body: { ...BILLING, ...billing },
  });
  return { status: made.status, body: made.body };
}

test('[BILL-06] an order stores postcode and telephone number in one form', async () => {
  const buyer = await shop.createBuyer();
  const refused = await checkOut(buyer, { region: 'Europe', country: 'LV', postcode: '101' });
  assert.deepEqual([refused.status, textAt(refused.body, 'error', 'code')], [400, 'postcode']);
  const typed = { region: 'Europe', country: 'LV', postcode: '1010', phone: '\u202a+٣٧١\u00a0٢٠٠٠٠٠٠٠\u202c' };
  const made = await checkOut(buyer, typed);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const billing = valueAt(made.body, 'order', 'billing');
  assert.deepEqual([textAt(billing, 'postcode'), textAt(billing, 'phone')], ['LV-1010', '+371 20000000']);

  const id = textAt(made.body, 'order', 'id');
  const {
    region: _region,
    country: _country,
    ...address
  } = { ...BILLING, postcode: 'lv 1050', phone: '２００００００１' };
  const changed = await shop.shop.api('PUT', `/orders/${id}/address`, { token: shop.staff, body: address });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const written = valueAt(
    (await shop.shop.api('GET', `/orders/${id}`, { token: buyer.token })).body,
    'order',
    'billing',
  );
  assert.deepEqual([textAt(written, 'postcode'), textAt(written, 'phone')], ['LV-1050', '20000001']);
});

const SECRETS = [
  'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn',
  `xprv${'9s21ZrQH143K3'.repeat(8)}`,
  'ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw',
  `${'0731'.repeat(11)}0003`,
  `\uFEFF${'abandon '.repeat(23)}art`,
  'abandon\u200Bability\u200Bable\u200Babout\u200Babove\u200Babsent\u200Babsorb\u200Babstract',
];

test('[PAY-13] a secret typed as refund address gets a warning and is stored nowhere', async () => {
  const buyer = await shop.createBuyer();
  const id = await shop.createPaidOrder(buyer, 0.01);
  const path = `/orders/${id}/refund-address`;
  const { token } = buyer;
  for (const secret of SECRETS) {
    const responses = [
      await shop.shop.api('PUT', path, { token, body: { address: secret } }),
      await shop.post(`${path}/enter`, { address: secret, reason: 'By telephone' }),
    ];
    for (const { status, body } of responses) {
      const message = textAt(body, 'error', 'fields', 'address');
      assert.deepEqual([status, textAt(body, 'error', 'code')], [400, 'invalid-address'], message);
      assert.match(message, /private key or a recovery phrase. Never share it. We did not store it/);
    }
  }
  await runWithShopDatabase(shop.shop, async (db) => {
    for (const secret of SECRETS) assert.deepEqual(await findTraces(db, secret.trim().slice(0, 20)), []);
  });
  // An address with what a copied text has around it.
  const saved = await shop.shop.api('PUT', path, { token, body: { address: `\uFEFF${ADDRESS}\u200B` } });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const read = await shop.shop.api('GET', path, { token });
  assert.equal(textAt(read.body, 'address'), ADDRESS);
  const mails = `/dev/mail?to=${encodeURIComponent(buyer.email)}`;
  await waitUntil(async () => listAt((await shop.shop.api('GET', mails)).body).length > 0);
});

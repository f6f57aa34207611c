/** Mails to buyers, on a shop with a devchain. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createOrder } from './support/new-order.ts';
import type { NewOrder } from './support/new-order.ts';
import { keysAt, listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { findFreePort } from './support/shop-process.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { parseMail, SmtpServer } from './support/smtp-server.ts';
import { createStockBuyer } from './support/stock-stress.ts';
import { BILLING } from './support/stress-buyer.ts';
import { waitUntil } from './support/wait-until.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

let buyers = 0;
const buy = (): Promise<NewOrder> => createOrder(shop, `reader-${(buyers += 1)}`);
async function callDemoTool(path: string, body: unknown): Promise<unknown> {
  const response = await shop.api('POST', `/dev/${path}`, { body });
  assert.equal(response.status, 200, JSON.stringify(response.body));
  return response.body;
}
/** Without the mail that confirms the email address. */
const listMailsTo = async (email: string): Promise<readonly unknown[]> =>
  listAt((await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`)).body).filter(
    (mail) => textAt(mail, 'subject') !== 'Please confirm your email address',
  );
/** Waits for this many mails. Oldest first, without order numbers. */
async function waitForSubjects(email: string, count: number): Promise<string[]> {
  await waitUntil(async () => (await listMailsTo(email)).length >= count);
  return (await listMailsTo(email)).map((mail) => textAt(mail, 'subject').replace(/CM-\d+/, '#')).toReversed();
}

test('[MAIL-02] mails each event from order to receipt once', async () => {
  const { email, order, id: orderId, token } = await buy();
  const due = numberAt(order, 'payment', 'amount_btc');
  const [address, number] = [textAt(order, 'payment', 'address'), textAt(order, 'number')];
  const half = Math.round(due * 5e7) / 1e8;
  const missing = Math.round((due - half) * 1e8) / 1e8;

  assert.deepEqual(await waitForSubjects(email, 1), [`Order #: ${due.toFixed(6)} BTC to pay`]);
  const [orderMail] = await listMailsTo(email);
  const fields = ['attachments', 'created_at', 'html', 'id', 'subject', 'text', 'to'];
  assert.deepEqual(keysAt(orderMail).toSorted(), fields);
  assert.deepEqual(valueAt(orderMail, 'attachments'), ['order-terms.pdf']);
  assert.equal(textAt(orderMail, 'to'), email);
  for (const version of ['text', 'html']) {
    const text = textAt(orderMail, version);
    for (const part of [number, address, `${due.toFixed(6)} BTC`]) assert.ok(text.includes(part), `${part}: ${text}`);
    assert.match(text, /http:\/\/localhost:\d+\/pay\/[\w-]{43,}/);
  }

  await callDemoTool('pay', { order_id: orderId, amount_btc: half });
  assert.match(
    (await waitForSubjects(email, 2))[1] ?? '',
    new RegExp(`^Order #: ${missing.toFixed(6)}\\d* BTC still missing$`),
  );
  await callDemoTool('pay', { order_id: orderId });
  assert.equal((await waitForSubjects(email, 3))[2], 'Order #: we have seen your payment');
  await callDemoTool('mine', { blocks: 6 });
  assert.equal((await waitForSubjects(email, 4))[3], 'Receipt for order #');
  const [receipt] = await listMailsTo(email);
  const paid = (await shop.api('GET', `/orders/${orderId}`, { token })).body;
  for (const sent of listAt(paid, 'order', 'payment', 'transactions')) {
    assert.ok(textAt(receipt, 'text').includes(textAt(sent, 'txid')));
  }
  // A reorganisation and the return of the payment are mailed; the receipt is not repeated.
  await callDemoTool('reorg', { depth: 8 });
  assert.equal((await waitForSubjects(email, 5))[4], 'Order #: your payment is being confirmed again');
  await callDemoTool('mine', { blocks: 8 });
  assert.equal((await waitForSubjects(email, 6))[5], 'Order #: your payment is confirmed again');
  await shop.api('PUT', '/orders/paid', { token, body: { order_id: orderId } });
  const next = await buy();
  await waitForSubjects(next.email, 1);
  assert.equal((await waitForSubjects(email, 6)).length, 6);
});

test('[MAIL-02] mails each expiry, the new quote and a late payment', async () => {
  const { email, id: orderId, token } = await buy();
  await callDemoTool('clock', { offset_s: 7300 });
  assert.equal((await waitForSubjects(email, 2))[1], 'Order # has expired');
  assert.equal((await shop.api('POST', `/orders/${orderId}/requote`, { token })).status, 200);
  assert.equal((await waitForSubjects(email, 3))[2], 'Order #: the new amount is 0.009000 BTC');
  await callDemoTool('clock', { offset_s: 2 * 7300 });
  assert.equal((await waitForSubjects(email, 4))[3], 'Order # has expired');
  await callDemoTool('pay', { order_id: orderId });
  assert.equal((await waitForSubjects(email, 5))[4], 'Order #: your payment arrived late');
  await callDemoTool('mine', { blocks: 6 });
  assert.equal((await waitForSubjects(email, 6))[5], 'Receipt for order #');
  await callDemoTool('clock', { offset_s: 0 });
});

test('[MAIL-02] a free order gets only the receipt', async () => {
  const { body: products } = await shop.api('GET', '/products?sort=price_asc&limit=1');
  assert.ok(numberAt(products, 0, 'base_price_in_usd') <= 50);
  const token = await createStockBuyer(shop, 'thrifty', textAt(products, 0, 'id'));
  assert.equal((await shop.api('POST', '/promocodes/apply', { token, body: { code: 'MINUS50' } })).status, 200);
  const { body, status } = await shop.api('POST', '/cart/checkout', { token, body: BILLING });
  assert.deepEqual([status, textAt(body, 'order', 'payment_status')], [201, 'paid']);
  assert.deepEqual(await waitForSubjects('thrifty@stock.example', 1), ['Receipt for order #']);
  const next = await buy();
  await waitForSubjects(next.email, 1);
  assert.equal((await listMailsTo('thrifty@stock.example')).length, 1);
});

test('[MAIL-03] the mailbox finds addresses in any case and runs no scripts', async () => {
  const { email } = await buy();
  await waitForSubjects(email, 1);
  assert.equal((await listMailsTo(email.toUpperCase())).length, 1);
  assert.deepEqual(await listMailsTo('nobody@stock.example'), []);
  assert.deepEqual(await listMailsTo('%'), []);
  const allMails = listAt((await shop.api('GET', '/dev/mail')).body);
  assert.ok(allMails.length > 1);
  const times = allMails.map((mail) => textAt(mail, 'created_at'));
  assert.ok(times.every((time) => !Number.isNaN(Date.parse(time))));

  const page = await fetch(`${shop.url}/dev/mail?to=${email}`);
  const html = await page.text();
  assert.equal(page.status, 200);
  assert.ok(html.includes('View as HTML') && html.includes(email));
  const [mail] = await listMailsTo(email);
  const view = await fetch(`${shop.url}/dev/mail/${textAt(mail, 'id')}`);
  assert.equal(await view.text(), textAt(mail, 'html'));
  assert.match(
    view.headers.get('content-security-policy') ?? '',
    /^default-src 'none'; style-src 'unsafe-inline';.*sandbox /,
  );
  const pictures = [...textAt(mail, 'html').matchAll(/<img src="([^"]*)"/g)].map(
    ([, url = '']) => new URL(url).pathname,
  );
  assert.ok(pictures.length >= 2, 'the mark of the shop, and the products');
  // Also where the address of the page is not that of the shop.
  const { origin } = new URL(/<img src="([^"]*)"/.exec(textAt(mail, 'html'))?.[1] ?? '');
  assert.ok(view.headers.get('content-security-policy')?.includes(`img-src 'self' ${origin};`), origin);
  for (const path of pictures) {
    const picture = await fetch(`${shop.url}${path}`);
    assert.match(picture.headers.get('content-type') ?? '', /^image\/(?:jpeg|png)/, path);
    // Pages of mail services show it.
    assert.equal(picture.headers.get('cross-origin-resource-policy'), 'cross-origin', path);
  }
  for (const id of ['999999', '0', 'x', '99999999999999999999', '1%00']) {
    assert.ok([400, 404].includes((await fetch(`${shop.url}/dev/mail/${id}`)).status), id);
  }
});

test('[MAIL-01] an unavailable mail server delays only mails; outdated mails are dropped', async () => {
  const port = await findFreePort();
  await shop.restart({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Market <shop@market.example>' });
  const server = new SmtpServer();
  try {
    const buyer = await buy();
    await callDemoTool('pay', { order_id: buyer.id });
    await callDemoTool('mine', { blocks: 6 });
    const { body } = await shop.api('GET', `/orders/${buyer.id}`, { token: buyer.token });
    assert.equal(textAt(body, 'order', 'payment_status'), 'paid');
    assert.equal((await fetch(`${shop.url}/readyz`)).status, 200);
    assert.deepEqual(await listMailsTo(buyer.email), []);
    await server.listen(port);
    const orderMails = () =>
      server.received.filter(({ raw }) => parseMail(raw).headers.get('message-id')?.[0]?.includes('order.'));
    // Outdated mails are dropped; the receipt is sent.
    await waitUntil(() =>
      orderMails().some(({ raw }) => parseMail(raw).headers.get('message-id')?.[0]?.includes('.paid@')),
    );
    const parsed = orderMails().map(({ raw }) => parseMail(raw));
    const ids = parsed.map(({ headers }) => headers.get('message-id')?.[0] ?? '').toSorted();
    for (const id of ids) {
      const [, order, event = ''] = /^<order\.([0-9a-f-]+)\.([\w-]+)@market\.example>$/.exec(id) ?? [];
      assert.equal(order, buyer.id);
      assert.match(event, /^(?:made|paid|seen-\d+)$/);
    }
    assert.deepEqual(parsed[0]?.headers.get('from'), ['Market <shop@market.example>']);
    assert.deepEqual(new Set(orderMails().map(({ to }) => to.join(','))), new Set([buyer.email]));
    assert.doesNotMatch(shop.readOutput(), new RegExp(buyer.email));
  } finally {
    await server.close();
  }
});

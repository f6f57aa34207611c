/** What the pages of the back office with an id are about. */
import assert from 'node:assert/strict';
import { CatalogueEditor, logInAs } from '../catalogue-editor.ts';
import { uploadCsv } from '../imports/upload.ts';
import { createOrder } from '../new-order.ts';
import { createPromotionFields } from '../promotion-fields.ts';
import { listAt, numberAt, textAt, valueAt } from '../read-json.ts';
import type { TestShop } from '../shop.ts';
import { createOverpaidOrder, getStaffToken, payInBlocks } from '../staff-fixtures.ts';
import { BILLING } from '../stress-buyer.ts';
import { createCustomer, createMessage, createTicket } from '../support-fixtures.ts';

/** A page, or a page and the state of its subject: `/admin/orders/:id overpaid`. */
type Subject = readonly [page: string, id: string];

/** An unpaid order that staff created. */
async function createPhoneOrder(shop: TestShop, token: string): Promise<string> {
  const { body: found } = await shop.api('GET', '/support/order-variants?q=iphone', { token });
  const variant = listAt(found, 'variants').find((one) => valueAt(one, 'available') !== 0);
  const item = { product_id: textAt(variant, 'product_id'), quantity: 1 };
  const lines = [{ ...item, property_value_ids: valueAt(variant, 'property_value_ids') }];
  const preview = { lines, country: BILLING.country };
  const { body: cart } = await shop.api('POST', '/support/orders/preview', { token, body: preview });
  const total = { expected_total_usd: numberAt(cart, 'totalCartValue') };
  const customer = { email: 'page@phone.example', name: 'Page Customer' };
  const body = { ...customer, ...total, lines, billing: BILLING, window: '24h' };
  const created = await shop.api('POST', '/support/orders', { token, body });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  return textAt(created.body, 'order_id');
}

async function createOrders(shop: TestShop, token: string): Promise<readonly Subject[]> {
  const overpaid = await createOverpaidOrder(shop, 'page-overpaid');
  const refund = { covers: 'surplus', fee_paid_by: 'buyer', fee_rate: 2 };
  assert.equal((await shop.api('POST', `/orders/${overpaid.id}/refunds`, { token, body: refund })).status, 201);
  const refundable = await createOverpaidOrder(shop, 'page-refundable');
  const [paid, underpaid] = [await createOrder(shop, 'page-paid'), await createOrder(shop, 'page-underpaid')];
  await payInBlocks(shop, paid, 0);
  await payInBlocks(shop, underpaid, -0.001);
  return [
    ['/admin/orders/:id', paid.id],
    ['/admin/orders/:id overpaid', overpaid.id],
    ['/admin/orders/:id underpaid', underpaid.id],
    ['/admin/orders/:id paid', paid.id],
    ['/admin/orders/:id refundable', refundable.id],
    ['/admin/orders/:id phone', await createPhoneOrder(shop, token)],
  ];
}

/** A return that waits for its approval. */
async function createReturn(shop: TestShop, token: string): Promise<string> {
  const order = await createOrder(shop, 'page-return');
  await payInBlocks(shop, order, 0);
  await shop.api('POST', `/orders/${order.id}/ship`, { token, body: {} });
  const body = { cause: 'defect', lines: [{ position: 0, quantity: 1 }], reason: 'It does not start' };
  const requested = await shop.api('POST', `/orders/${order.id}/returns`, { token: order.token, body });
  return textAt(requested.body, 'return', 'id');
}

async function createCatalogue(shop: TestShop, token: string): Promise<readonly Subject[]> {
  const editor = await CatalogueEditor.open(shop);
  const uploaded = await uploadCsv(shop, token, 'Handle,Title\npage,Page\n');
  const product = await editor.publish(await editor.createContent({}));
  const { body: stock } = await shop.api('GET', '/inventory', { token });
  const promotion = createPromotionFields({ code: 'PAGES' });
  const created = await shop.api('POST', '/support/promotions', { token, body: promotion });
  const draft = { version: 0, summary: 'Our new terms.', markdown: '# One' };
  assert.equal((await shop.api('PUT', '/content/legal/terms', { token, body: draft })).status, 200);
  return [
    ['/admin/import/:id', textAt(uploaded.body, 'id')],
    ['/admin/inventory/:id', textAt(listAt(stock, 'variants')[0], 'variant_id')],
    ['/admin/promotions/:id', textAt(created.body, 'promotion', 'id')],
    ['/admin/products/:id', product.id],
    ['/admin/products/:id/preview', product.id],
  ];
}

async function createWebhooks(shop: TestShop): Promise<readonly Subject[]> {
  const token = await logInAs(shop, 'owner');
  // Nothing listens there.
  const endpoint = { url: 'https://erp.invalid/hooks', description: '', event_types: ['order.paid'] };
  const created = await shop.api('POST', '/webhooks', { token, body: endpoint });
  const id = textAt(created.body, 'endpoint', 'id');
  await shop.api('POST', `/webhooks/${id}/test`, { token });
  const { body } = await shop.api('GET', `/webhooks/${id}/deliveries`, { token });
  return [
    ['/admin/webhooks/:id', id],
    ['/admin/webhooks/deliveries/:id', textAt(listAt(body, 'deliveries')[0], 'id')],
  ];
}

/** Creates one subject of each page with an id, and the orders whose states offer actions. */
export async function createPageSubjects(shop: TestShop): Promise<readonly Subject[]> {
  const token = await getStaffToken(shop);
  const customer = await createCustomer(shop, 'page-subject');
  return [
    ...(await createOrders(shop, token)),
    ...(await createCatalogue(shop, token)),
    ...(await createWebhooks(shop)),
    ['/admin/tickets/:id', await createTicket(shop, customer.token)],
    ['/admin/messages/:id', await createMessage(shop, token, 'Do you deliver to pages?')],
    ['/admin/customers/:id', customer.id],
    ['/admin/returns/:id', await createReturn(shop, token)],
  ];
}

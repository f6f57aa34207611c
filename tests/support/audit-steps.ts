/** Staff calls of catalogue, texts, settings and stock, each made once. */
import { CatalogueEditor } from './catalogue-editor.ts';
import { checkCsv, uploadCsv, waitForState } from './imports/upload.ts';
import { makePicture } from './hostile-pictures.ts';
import { createPromotionFields } from './promotion-fields.ts';
import { listAt, numberAt, textAt, valueAt } from './read-json.ts';
import { uploadPicture } from './upload-picture.ts';
import { changeOf } from './access-rows.ts';
import type { AuditWalk } from './audit-walk.ts';

const idOf = (value: unknown): { readonly id: string } => ({ id: textAt(value, 'id') });
const versionOf = (value: unknown): number => numberAt(value, 'version');

export async function walkPromotions(walk: AuditWalk): Promise<void> {
  const created = await walk.prove('POST /support/promotions', { body: createPromotionFields({ code: 'AUDIT' }) });
  const params = idOf(valueAt(created, 'promotion'));
  const body = { ...createPromotionFields({ code: 'AUDIT', max_uses: 7 }), version: 1 };
  await walk.prove('PUT /support/promotions/{id}', { params, body });
  await walk.prove('POST /support/promotions/{id}/disable', { params });
  await walk.prove('POST /support/promotions/{id}/enable', { params });
  await walk.prove('DELETE /support/promotions/{id}', { params });
}

export async function walkSettings(walk: AuditWalk): Promise<void> {
  const stored = await walk.read('/shop/settings');
  const version = (section: string) => numberAt(stored, section, 'version');
  const identity = { ...changeOf('identity'), name: 'Audited shop', version: version('identity') };
  const legal = { ...changeOf('legal'), company: 'Audited Ltd', version: version('legal') };
  const orders = { order_prefix: 'AU-', version: version('orders') };
  const refunds = { refund_method: 'kind', version: version('refunds') };
  const time = { time_zone: 'Europe/Berlin', version: version('time') };
  const latePayments = { late_acceptance_days: 3, version: version('late_payments') };
  const returns = { return_address: 'Audit street 1', courtesy_days: 30, version: version('returns') };
  const mail = { ...changeOf('mail'), sender_name: 'Audited', version: version('mail') };
  const announcement = { ...changeOf('announcement'), announcement_text: 'Audit', version: version('announcement') };
  await walk.prove('PUT /shop/settings', { asOwner: true, body: { identity } });
  await walk.prove('PUT /shop/settings/identity', {
    asOwner: true,
    body: { ...identity, address: 'Audit 1', version: identity.version + 1 },
  });
  await walk.prove('PUT /shop/settings/legal', { asOwner: true, body: legal });
  await walk.prove('PUT /shop/settings/orders', { asOwner: true, body: orders });
  await walk.prove('PUT /shop/settings/refunds', { asOwner: true, body: refunds });
  await walk.prove('PUT /shop/settings/time', { asOwner: true, body: time });
  await walk.prove('PUT /shop/settings/late-payments', { asOwner: true, body: latePayments });
  await walk.prove('PUT /shop/settings/returns', { asOwner: true, body: returns });
  await walk.prove('PUT /shop/settings/mail', { asOwner: true, body: mail });
  await walk.prove('PUT /shop/settings/announcement', { asOwner: true, body: announcement });
  const prices = { large_reduction_percent: 40, version: version('prices') };
  await walk.prove('PUT /shop/settings/prices', { asOwner: true, body: prices });
  const retention = { ...changeOf('retention'), message_years: 4, version: version('retention') };
  await walk.prove('PUT /shop/settings/retention', { asOwner: true, body: retention });
  const consumers = { sells_to_eu_consumers: false, version: version('consumers') };
  await walk.prove('PUT /shop/settings/consumers', { asOwner: true, body: consumers });
  for (const key of ['/tax/settings', '/shipping/settings']) {
    await walk.prove(`PUT ${key}`, { asOwner: true, body: await walk.read(key) });
  }
  const national = { currency: 'EUR', valid_days: 4, rates_from: 'table' };
  await walk.prove('PUT /tax/national-currency', { asOwner: true, body: { ...national, version: 0 } });
  const rates = { source: 'European Central Bank', rates: [{ day: '2026-11-27', rate: '0.8601' }] };
  await walk.prove('PUT /tax/national-rates', { asOwner: true, body: rates });
  await walk.prove('DELETE /tax/national-rates/{day}', { asOwner: true, params: { day: '2026-11-27' } });
  // Invoices of later steps wait for no rate.
  const none = { ...national, currency: '', version: 1 };
  await walk.prove('PUT /tax/national-currency', { asOwner: true, body: none });
}

export async function walkTexts(walk: AuditWalk): Promise<void> {
  for (const name of ['search', 'hero', 'rows', 'advantages', 'banner', 'partners', 'delivery']) {
    const section = valueAt(await walk.read('/content/home'), name);
    const body = { version: versionOf(section), is_shown: valueAt(section, 'is_shown') !== true };
    await walk.prove(`PUT /content/home/${name}`, { body: { ...body, body: valueAt(section, 'body') } });
  }
  const added = await walk.prove('POST /content/faq', { body: { question: 'Who did it?', answer: 'The log says.' } });
  const question = listAt(added, 'items').at(-1);
  const params = idOf(question);
  await walk.prove('PUT /content/faq/{id}', {
    params,
    body: { version: versionOf(question), question: 'Who changed it?', answer: 'The log says.' },
  });
  const faq = await walk.read('/content/faq');
  const ids = listAt(faq, 'items').map((item) => textAt(item, 'id'));
  await walk.prove('PUT /content/faq-order', { body: { version: versionOf(faq), ids: ids.toReversed() } });
  await walk.prove('DELETE /content/faq/{id}', { params, query: `?version=${versionOf(question) + 1}` });
  const guide = await walk.prove('PUT /content/guide', {
    body: { version: versionOf(await walk.read('/content/guide')), lead: 'Buy', markdown: '# Buy\n\nPay.' },
  });
  await walk.prove('POST /content/guide/reset', { body: { version: versionOf(guide) } });
  await walkLegalTexts(walk);
}

async function walkLegalTexts(walk: AuditWalk): Promise<void> {
  const params = { kind: 'terms' };
  const before = await walk.read('/content/legal/terms');
  const saved = await walk.prove('PUT /content/legal/{kind}', {
    params,
    body: { version: numberAt(before, 'draft', 'version'), summary: 'Short', markdown: '# Terms\n\nAudited.' },
  });
  const version = numberAt(saved, 'draft', 'version');
  const published = await walk.prove('POST /content/legal/{kind}/publish', {
    params,
    asOwner: true,
    body: { version },
  });
  const oldest = listAt(published, 'versions').at(-1);
  await walk.prove('POST /content/legal/{kind}/restore', {
    params,
    body: { version: numberAt(published, 'draft', 'version'), number: numberAt(oldest, 'number') },
  });
}

export async function walkProducts(walk: AuditWalk): Promise<void> {
  const editor = await CatalogueEditor.open(walk.shop);
  const content = await editor.createContent();
  await walk.skipToNewest();
  const key = 'PUT /catalogue/products/{id}';
  const created = valueAt(await walk.prove('POST /catalogue/products', { body: content }), 'product');
  const params = idOf(created);
  const published = await walk.prove(key, { params, body: { version: versionOf(created), publish: true, content } });
  const draft = { ...content, name: 'Audited cable' };
  const version = numberAt(published, 'product', 'version');
  await walk.prove(key, { params, body: { version, publish: false, content: draft } });
  await walk.prove('POST /catalogue/products/{id}/discard-changes', { params, body: { version: version + 1 } });
  await walkCosts(walk, params.id);
  await walkSalePrices(walk, params.id);
  const present = valueAt(await walk.read(`/catalogue/products/${params.id}`), 'product');
  const products = [{ ...params, version: versionOf(present) }];
  await walk.prove('POST /catalogue/bulk-edits', { body: { products, change: { kind: 'price-set', usd: 21 } } });
  const changed = valueAt(await walk.read(`/catalogue/products/${params.id}`), 'product');
  await walk.prove('POST /catalogue/products/{id}/withdraw', { params, body: { version: versionOf(changed) } });
  const copy = valueAt(await walk.prove('POST /catalogue/products/{id}/duplicate', { params }), 'product');
  await walk.prove('DELETE /catalogue/products/{id}', { params: idOf(copy), body: { version: versionOf(copy) } });
}

async function walkCosts(walk: AuditWalk, id: string): Promise<void> {
  const [variant] = listAt(await walk.read(`/catalogue/products/${id}/costs`), 'variants');
  await walk.prove('PUT /catalogue/products/{id}/costs', {
    params: { id },
    body: { version: 0, costs: [{ variant_id: textAt(variant, 'id'), cost_usd: 4.5 }] },
  });
}

async function walkSalePrices(walk: AuditWalk, id: string): Promise<void> {
  const reduction = { kind: 'percent', percent: 10 };
  const now = { reduction, starts_at: null, ends_at: null };
  const later = { reduction, starts_at: '2090-01-01T00:00:00Z', ends_at: '2090-02-01T00:00:00Z' };
  const add = 'POST /catalogue/products/{id}/sale-prices';
  const scheduled = await walk.prove(add, { params: { id }, body: later });
  const [first] = listAt(scheduled, 'sale_prices');
  await walk.prove('PUT /catalogue/sale-prices/{id}', {
    params: idOf(first),
    body: { ...later, ends_at: '2090-03-01T00:00:00Z', version: versionOf(first) },
  });
  await walk.prove('DELETE /catalogue/sale-prices/{id}', {
    params: idOf(first),
    body: { version: versionOf(first) + 1 },
  });
  const [running] = listAt(await walk.prove(add, { params: { id }, body: now }), 'sale_prices');
  await walk.prove('POST /catalogue/sale-prices/{id}/end', {
    params: idOf(running),
    body: { version: versionOf(running) },
  });
}

export async function walkStructure(walk: AuditWalk): Promise<void> {
  for (const [one, many, list] of [
    ['category', 'categories', 'categories'],
    ['brand', 'brands', 'brands'],
  ] as const) {
    const added = await walk.prove(`POST /catalogue/${many}`, { body: { name: 'Audited', slug: 'audited' } });
    const params = idOf(added);
    const body = { version: 1, name: 'Audited 2', slug: 'audited-2', ...(one === 'category' && { properties: [] }) };
    await walk.prove(`PUT /catalogue/${many}/{id}`, { params, body });
    const ids = listAt(await walk.read('/catalogue/structure'), list).map((item) => textAt(item, 'id'));
    await walk.prove(`PUT /catalogue/${one}-order`, { body: { ids: ids.toReversed() } });
    await walk.prove(`DELETE /catalogue/${many}/{id}`, { params });
  }
}

export async function walkPictures(walk: AuditWalk): Promise<void> {
  const bytes = await makePicture('png', { width: 40, height: 30, seed: 77 });
  const uploaded = await walk.check('POST /pictures', false, () => uploadPicture(walk.shop, walk.staff, bytes));
  const params = idOf(uploaded);
  await walk.prove('PUT /pictures/{id}', { params, body: { alt: 'Audited', version: versionOf(uploaded) } });
  await walk.prove('DELETE /pictures/{id}', { params });
}

const CSV =
  'Handle,Title,Vendor,Type,Variant Price,Image Src\r\naudited-stand,Audited Stand,Oak,Stands,39.00,/images/products/airtag/front.avif\r\n';

export async function walkImports(walk: AuditWalk): Promise<void> {
  await walk.check('POST /imports', false, () => uploadCsv(walk.shop, walk.staff, CSV));
  const [newest] = listAt(await walk.read('/imports'), 'imports');
  await waitForState(walk.shop, walk.staff, textAt(newest, 'id'), 'checked');
  await walk.prove('POST /imports/{id}/cancel', { params: idOf(newest), body: {} });
  const checked = await checkCsv(walk.shop, walk.staff, CSV);
  await walk.skipToNewest();
  await walk.prove('POST /imports/{id}/apply', { params: { id: checked.id }, body: {} });
  await waitForState(walk.shop, walk.staff, checked.id, 'applied');
  await walk.skipToNewest();
}

export async function walkStock(walk: AuditWalk): Promise<void> {
  const [variant] = listAt(await walk.read('/inventory'), 'variants');
  const params = { variant_id: textAt(variant, 'variant_id') };
  await walk.prove('PUT /inventory/{variant_id}', {
    params,
    body: { of: 'available', quantity: 12, seen: valueAt(variant, 'available'), reason: 'counted' },
  });
  await walk.prove('POST /inventory/{variant_id}/adjustments', { params, body: { by: 3, reason: 'received' } });
  const counts = [{ ...params, quantity: 40, seen: numberAt(await walk.read('/inventory'), 'variants', 0, 'on_hand') }];
  await walk.prove('PUT /inventory', { body: { counts, reason: 'counted' } });
  await walk.prove('PUT /inventory/{variant_id}/threshold', { params, body: { threshold: 4 } });
  await walk.prove('POST /inventory/{variant_id}/stop-tracking', { params, body: {} });
  const settings = valueAt(await walk.read('/inventory'), 'settings');
  const body = { threshold: 9, is_mailed: true, version: versionOf(settings) };
  await walk.prove('PUT /low-stock', { body });
}

/** Two members of staff edit the same document. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { CatalogueEditor, logInAs, readErrorCode } from './support/catalogue-editor.ts';
import { readConflict } from './support/read-conflict.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { runWithShopDatabase } from './support/stock-stress.ts';

let shop: TestShop;
let second: TestShop;
let dana: string;
let owner: string;
before(async () => {
  shop = await startTestShop();
  second = await startTestShop({ beside: shop });
  const created = await shop.api('POST', '/users/register', {
    body: { username: 'dana', email: 'dana@conflicts.example', password: 'crypto-market' },
  });
  assert.equal(created.status, 201);
  await runWithShopDatabase(shop, (db) => sql`update users set role = 'owner' where username = 'dana'`.execute(db));
  [dana, owner] = [await logInAs(shop, 'dana'), await logInAs(shop, 'owner')];
});
after(async () => {
  await second.stop();
  await shop.stop();
});

interface OpenDocument {
  readonly path: string;
  /** Of a new version. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly version: number;
  readonly read: () => Promise<unknown>;
}

interface DocumentKind {
  readonly open: () => Promise<OpenDocument>;
  /** What one of them changes. */
  readonly change: (body: OpenDocument['body'], mark: string) => object;
  readonly fields: readonly (readonly [path: string, label: string])[];
}

const get = async (path: string): Promise<unknown> => (await shop.api('GET', path, { token: owner })).body;
const post = async (path: string, body: object): Promise<unknown> =>
  (await shop.api('POST', path, { token: owner, body })).body;

function toBody(json: unknown): Readonly<Record<string, unknown>> {
  assert.ok(typeof json === 'object' && json !== null);
  return { ...json };
}

/** A document that always exists. */
function openAt(path: string, readPath = path, ...keys: string[]): DocumentKind['open'] {
  const read = async () => valueAt(await get(readPath), ...keys);
  return async () => {
    const stored = await read();
    return { path, body: toBody(stored), version: numberAt(stored, 'version'), read };
  };
}

const MODES: Readonly<Record<string, string>> = { first: 'hourly', late: 'never', a: 'each', bb: 'never' };

const PROMOTION = {
  type: 'discount_percent',
  discount_value: 5,
  gift_product_id: null,
  starts_at: null,
  ends_at: null,
  minimum_subtotal_usd: null,
  max_uses: 100,
  max_uses_per_user: null,
  is_active: true,
  is_advertised: false,
  position: 0,
};

const DOCUMENTS: Readonly<Record<string, DocumentKind>> = {
  'mail settings': {
    open: openAt('/shop/settings/mail', '/shop/settings', 'mail'),
    change: (body, mark) => ({ ...body, sender_name: `Shop ${mark}`, mail_footer: `Footer ${mark}` }),
    fields: [
      ['sender_name', 'Sender name'],
      ['mail_footer', 'Mail footer'],
    ],
  },
  'tax settings': {
    open: openAt('/tax/settings'),
    change: (body, mark) => ({ ...body, tax_name: `Tax ${mark}` }),
    fields: [['tax_name', 'Tax name']],
  },
  'shipping settings': {
    open: openAt('/shipping/settings'),
    change: (body, mark) => ({
      ...body,
      excluded_countries: mark === 'first' ? ['FR'] : ['FR', mark === 'a' ? 'ES' : 'IT'],
    }),
    fields: [['excluded_countries', 'Excluded countries']],
  },
  'low stock': {
    open: openAt('/low-stock', '/inventory', 'settings'),
    change: (body, mark) => ({ ...body, threshold: 10 + mark.length }),
    fields: [['low_stock_threshold', 'Low stock threshold']],
  },
  'mails about paid orders': {
    open: openAt('/support/paid-order-mails'),
    change: (_body, mark) => ({ mode: MODES[mark] }),
    fields: [['mode', 'Mode']],
  },
  guide: {
    open: openAt('/content/guide'),
    change: (_body, mark) => ({ lead: `Pay ${mark}.`, markdown: `## Pay\n\nSlowly, ${mark}.` }),
    fields: [
      ['lead', 'Lead'],
      ['markdown', 'Markdown'],
    ],
  },
  'legal text': {
    open: openAt('/content/legal/terms', '/content/legal/terms', 'draft'),
    change: (_body, mark) => ({ summary: 'Our terms.', markdown: `## Terms\n\n${mark}` }),
    fields: [
      ['summary', 'Summary'],
      ['markdown', 'Markdown'],
    ],
  },
  section: {
    open: openAt('/content/home/banner', '/content/home', 'banner'),
    change: ({ body }, mark) => ({ body, is_shown: mark !== 'first' }),
    fields: [['is_shown', 'Shown']],
  },
  brand: {
    open: async () => {
      const body = { name: 'Conflict', slug: 'conflict' };
      const id = textAt(await post('/catalogue/brands', body), 'id');
      const read = async () =>
        listAt(await get('/catalogue/structure'), 'brands').find((one) => textAt(one, 'id') === id);
      return { path: `/catalogue/brands/${id}`, body, version: 1, read };
    },
    change: (body, mark) => ({ ...body, name: `Conflict ${mark}` }),
    fields: [['name', 'Name']],
  },
  webhook: {
    open: async () => {
      const body = { url: 'https://example.com/hook', description: 'Orders', event_types: ['order.paid'] };
      const { id, version } = readVersioned(valueAt(await post('/webhooks', body), 'endpoint'));
      return { path: `/webhooks/${id}`, body, version, read: () => get(`/webhooks/${id}`) };
    },
    change: (body, mark) => ({ ...body, description: `Orders ${mark}` }),
    fields: [['description', 'Description']],
  },
  'sale price': {
    open: async () => {
      const editor = await CatalogueEditor.open(shop, 'owner');
      const { id: productId } = await editor.publish(await editor.createContent());
      const body = {
        reduction: { kind: 'percent', percent: 10 },
        starts_at: '2099-01-01T00:00:00.000Z',
        ends_at: null,
      };
      const list = `/catalogue/products/${productId}/sale-prices`;
      const { id, version } = readVersioned(valueAt(await post(list, body), 'sale_prices', 0));
      return { path: `/catalogue/sale-prices/${id}`, body, version, read: () => get(list) };
    },
    change: (body, mark) => ({ ...body, reduction: { kind: 'percent', percent: 10 + mark.length } }),
    fields: [],
  },
  promotion: {
    open: async () => {
      const body = { ...PROMOTION, code: 'CONFLICT' };
      const { id, version } = readVersioned(valueAt(await post('/support/promotions', body), 'promotion'));
      return { path: `/support/promotions/${id}`, body, version, read: () => get(`/support/promotions/${id}`) };
    },
    change: (body, mark) => ({ ...body, code: `CONFLICT-${mark.toUpperCase()}`, discount_value: 4 + mark.length }),
    fields: [
      ['code', 'Code'],
      ['discount_basis_points', 'Discount percent'],
    ],
  },
  product: {
    open: async () => {
      const editor = await CatalogueEditor.open(shop, 'owner');
      const content = await editor.createContent();
      const { id, version } = await editor.publish(content);
      const path = `/catalogue/products/${id}`;
      return { path, body: { publish: true, content }, version, read: () => get(path) };
    },
    change: (body, mark) => ({ ...body, content: { ...toBody(body['content']), name: `Cable ${mark}` } }),
    fields: [['name', 'Name']],
  },
  question: {
    open: async () => {
      const body = { question: 'Do you ship on Sundays?', answer: 'No.' };
      const { id, version } = readVersioned(listAt(await post('/content/faq', body), 'items').at(-1));
      const read = async () => listAt(await get('/content/faq'), 'items').find((one) => textAt(one, 'id') === id);
      return { path: `/content/faq/${id}`, body, version, read };
    },
    change: (body, mark) => ({ ...body, answer: `No, ${mark}.` }),
    fields: [['answer', 'Answer']],
  },
  'canned answer': {
    open: async () => {
      const body = { title: 'Thanks', text: 'Thank you.' };
      const { id, version } = readVersioned(valueAt(await post('/support/canned-answers', body), 'answer'));
      const read = async () =>
        listAt(await get('/support/canned-answers'), 'answers').find((one) => textAt(one, 'id') === id);
      return { path: `/support/canned-answers/${id}`, body, version, read };
    },
    change: (body, mark) => ({ ...body, title: `Thanks ${mark}`, text: `Thank you, ${mark}.` }),
    fields: [
      ['title', 'Title'],
      ['text', 'Text'],
    ],
  },
};

const readVersioned = (json: unknown) => ({ id: textAt(json, 'id'), version: numberAt(json, 'version') });

const readAudit = async (): Promise<unknown> => valueAt(await get('/support/audit'), 'total');

for (const [name, { open, change, fields }] of Object.entries(DOCUMENTS)) {
  test(`[OPS-06] [API-01] an outdated change (${name}) names who changed what`, async () => {
    const { path, body, version, read } = await open();
    const save = ({ api }: TestShop, token: string, seen: number, mark: string) =>
      api('PUT', path, { token, body: { ...change(body, mark), version: seen } });
    assert.equal(readErrorCode(await save(shop, dana, version, 'first')), '200');
    const [stored, entries] = [await read(), await readAudit()];

    const outdated = await save(second, owner, version, 'late');
    assert.equal(readErrorCode(outdated), '409 changed-meanwhile');
    const conflict = readConflict(outdated.body);
    assert.equal(conflict.by, 'dana');
    assert.deepEqual(
      conflict.fields.map(({ path: field, label }) => [field, label]),
      fields,
    );
    assert.match(textAt(outdated.body, 'error', 'message'), /^dana changed .+ meanwhile( \(.+\))?\. Nothing was saved/);
    assert.deepEqual([await read(), await readAudit()], [stored, entries]);

    const raced = await Promise.all([save(shop, dana, version + 1, 'a'), save(second, owner, version + 1, 'bb')]);
    assert.deepEqual(raced.map(readErrorCode).toSorted(), ['200', '409 changed-meanwhile']);
    const winner = raced[0].status === 200 ? 'dana' : 'owner';
    const loser = raced.find(({ status }) => status === 409);
    assert.equal(readConflict(loser?.body).by, winner);
  });
}

/** Each page of the back office as each role: who may open it, and which actions it offers. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { mayUse } from '#src/shop/permissions.ts';
import type { Area } from '#src/shop/permissions.ts';
import './support/built-pages.ts';
import { accessTable } from './support/access-table.ts';
import type { CallKey } from './support/access-rows.ts';
import { isRefused, listAdminPages, listCallsOf, teamRoles } from './support/pages/page-calls.ts';
import type { TeamRole } from './support/pages/page-calls.ts';
import { createPageSubjects } from './support/pages/page-subjects.ts';
import { textAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';
import { createCustomer } from './support/support-fixtures.ts';

/** The area of each page; null: for every role of the team. */
const AREA_OF_PAGE: Readonly<Record<string, Area | null>> = {
  '/admin': null,
  '/admin/payments': 'payments',
  '/admin/orders': 'orders',
  '/admin/orders/new': 'manual-orders',
  '/admin/orders/ship': 'shipping',
  '/admin/orders/pick-list': 'shipping',
  '/admin/orders/packing-slips': 'shipping',
  '/admin/carriers': 'shipping',
  '/admin/serial-numbers': 'shipping',
  '/admin/orders/:id': 'orders',
  '/admin/tickets': 'support',
  '/admin/tickets/:id': 'support',
  '/admin/canned-answers': 'support',
  '/admin/messages': 'support',
  '/admin/messages/:id': 'support',
  '/admin/reviews': 'support',
  '/admin/customers': 'customers',
  '/admin/customers/:id': 'customers',
  '/admin/returns': 'orders',
  '/admin/returns/:id': 'orders',
  '/admin/withdrawals': 'orders',
  '/admin/sales': 'reports',
  '/admin/invoices': 'orders',
  '/admin/reservations': 'stock',
  '/admin/import': 'catalogue',
  '/admin/import/:id': 'catalogue',
  '/admin/inventory': 'stock',
  '/admin/inventory/:id': 'stock',
  '/admin/promotions': 'catalogue',
  '/admin/promotions/:id': 'catalogue',
  '/admin/settings': 'settings',
  '/admin/settings/payments': 'settings',
  '/admin/settings/mail': 'settings',
  '/admin/settings/retention': 'settings',
  '/admin/settings/texts': 'settings',
  '/admin/settings/integrations': 'integrations',
  '/admin/settings/team': 'team',
  '/admin/settings/system': 'settings',
  '/admin/accounting': 'accounting',
  '/admin/tax': 'settings',
  '/admin/invoice-currency': 'settings',
  '/admin/shipping': 'settings',
  '/admin/pictures': 'catalogue',
  '/admin/security': null,
  '/admin/webhooks': 'integrations',
  '/admin/webhooks/:id': 'integrations',
  '/admin/webhooks/deliveries/:id': 'integrations',
  '/admin/api-keys': 'integrations',
  '/admin/owner': 'team',
  '/admin/audit': 'audit',
  '/admin/products': 'catalogue',
  '/admin/products/new': 'catalogue',
  '/admin/products/:id': 'catalogue',
  '/admin/products/:id/preview': 'catalogue',
  '/admin/categories': 'catalogue',
  '/admin/brands': 'catalogue',
  '/admin/chain': 'payments',
  '/admin/content': 'catalogue',
};

/** A button or field that only those see who may make the call; `at` names the subject of `:id`. */
interface Control {
  readonly text: string;
  readonly at?: 'overpaid' | 'underpaid' | 'paid' | 'refundable' | 'phone' | 'legal';
}
const CONTROLS: Partial<Readonly<Record<CallKey, Control>>> = {
  'PUT /support/paid-order-mails': { text: 'Mails about paid orders' },
  'POST /carriers': { text: 'Add carrier' },
  'PUT /carriers/{id}': { text: 'Save' },
  'DELETE /carriers/{id}': { text: 'Delete' },
  'POST /orders/{id}/settle': { text: 'Accept as paid', at: 'underpaid' },
  'POST /orders/{id}/refunds': { text: 'Create refund', at: 'refundable' },
  'POST /orders/{id}/refund-address/enter': { text: 'Enter a refund address', at: 'paid' },
  'POST /orders/{id}/refunds/elsewhere': { text: 'Record a refund that was sent elsewhere', at: 'paid' },
  'POST /refunds/{id}/broadcast': { text: 'Broadcast', at: 'overpaid' },
  'POST /refunds/{id}/record': { text: 'Record transaction', at: 'overpaid' },
  'POST /refunds/{id}/withdraw': { text: 'Withdraw refund', at: 'overpaid' },
  'POST /support/orders/{id}/cancel': { text: 'Cancel order', at: 'phone' },
  'POST /support/customers/{id}/block': { text: 'Block customer' },
  'POST /support/customers/{id}/end-sessions': { text: 'End all sessions' },
  'POST /support/customers/{id}/erase': { text: 'Erase account' },
  'PUT /shop/settings': { text: 'Save' },
  'PUT /tax/settings': { text: 'Save tax' },
  'PUT /tax/national-currency': { text: 'Save currency' },
  'PUT /shipping/settings': { text: 'Save shipping' },
  'POST /content/legal/{kind}/publish': { text: 'Publish', at: 'legal' },
};
/** Offered in states that are expensive to reach, within the same condition as a control above. */
const RARE: ReadonlySet<CallKey> = new Set<CallKey>([
  'POST /dev/refunds/{id}/sign',
  'POST /orders/{id}/close-as-loss',
  'POST /orders/{id}/give-up',
  'POST /orders/{id}/write-offs',
  'POST /refunds/{id}/undo-record',
  'POST /support/returns/{id}/exchange',
  'POST /support/returns/{id}/refund',
  'POST /support/returns/{id}/void',
  'POST /support/orders/{id}/renew-price',
  'POST /support/customers/{id}/unblock',
  'POST /support/reviews/{id}/approve',
  'POST /support/reviews/{id}/reject',
  'POST /support/tickets/{id}/assign',
]);

const PASSWORD = 'crypto-market';
const VISITORS = [...teamRoles, 'customer', 'stranger'] as const;
type Visitor = (typeof VISITORS)[number];
const USERNAMES: Readonly<Record<Exclude<Visitor, 'stranger'>, string>> = {
  owner: 'owner',
  manager: 'staff',
  support: 'page-helper',
  shipping: 'page-packer',
  customer: 'page-customer',
};

let shop: TestShop;
const cookies = new Map<Visitor, string>();
const paths = new Map<string, string>();
before(async () => {
  shop = await startTestShop();
  await createTeam();
  await createSubjects();
});
after(() => shop.stop());

async function logIn(
  username: string,
): Promise<{ readonly cookie: string; readonly token: string; readonly id: string }> {
  const body = { username, password: PASSWORD };
  const response = await shop.api('POST', '/users/login', { headers: { 'sec-fetch-site': 'same-origin' }, body });
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { cookie, token: textAt(response.body, 'tokens', 'accessToken'), id: textAt(response.body, 'user', 'id') };
}

async function createTeam(): Promise<void> {
  const { body } = await shop.api('POST', '/users/login', { body: { username: 'owner', password: PASSWORD } });
  const token = textAt(body, 'tokens', 'accessToken');
  for (const role of ['support', 'shipping', 'customer'] as const) {
    await createCustomer(shop, USERNAMES[role]);
    const changed = await shop.api('PUT', '/staff/role', { token, body: { username: USERNAMES[role], role } });
    assert.equal(changed.status, 200);
  }
  for (const [role, username] of Object.entries(USERNAMES)) {
    const visitor = VISITORS.find((one) => one === role) ?? assert.fail();
    cookies.set(visitor, (await logIn(username)).cookie);
  }
}

/** One subject of each page with an id, and the orders of the controls. */
async function createSubjects(): Promise<void> {
  for (const [page, id] of await createPageSubjects(shop)) {
    const [pattern = ''] = page.split(' ');
    paths.set(page, pattern.replace(':id', id));
  }
  paths.set('/admin/content legal', '/admin/content?part=terms');
}

async function open(path: string, visitor: Visitor) {
  const cookie = cookies.get(visitor);
  const response = await fetch(`${shop.url}${path}`, {
    headers: { connection: 'close', ...(cookie === undefined ? {} : { cookie }) },
    redirect: 'manual',
  });
  return { status: response.status, html: await response.text(), location: response.headers.get('location') ?? '' };
}

test('[OPS-01] [OPS-17] opens each page to the roles of its area only', async () => {
  assert.deepEqual(
    listAdminPages()
      .map(([path]) => path)
      .toSorted(),
    Object.keys(AREA_OF_PAGE).toSorted(),
    'every page has an area',
  );
  for (const [page, area] of Object.entries(AREA_OF_PAGE)) {
    const path = paths.get(page) ?? page;
    assert.ok(!path.includes(':id'), `${page} has no subject`);
    const opened = await Promise.all(VISITORS.map(async (visitor) => ({ visitor, ...(await open(path, visitor)) })));
    for (const { visitor, status, location } of opened) {
      const isAllowed = teamRoles.some((role) => role === visitor) && (area === null || mayUse(visitor, area));
      // The preview is the public page of the product, with a draft for staff.
      const isStranger = visitor === 'stranger' && !path.endsWith('/preview');
      if (isStranger) assert.match(`${status} ${location}`, /^302 \/login\?to=/, path);
      else assert.equal(status, isAllowed ? 200 : 404, `${path} as ${visitor}`);
    }
  }
});

test('[OPS-03] [OPS-17] no page makes a call that its visitor may not make', async () => {
  const earlier = shop.readOutput().length;
  for (const [page, area] of Object.entries(AREA_OF_PAGE)) {
    for (const role of teamRoles.filter((one) => area === null || mayUse(one, area))) {
      assert.equal((await open(paths.get(page) ?? page, role)).status, 200);
    }
  }
  const refused = shop
    .readOutput()
    .slice(earlier)
    .split('\n')
    .filter((line) => line.includes('"security_event":"forbidden"'));
  assert.deepEqual(refused, []);
});

/** Calls that a page can make, except those that only load it, with roles that open it and are refused. */
function listRefusedCalls() {
  const table = accessTable('');
  return listAdminPages().flatMap(([page, file]) => {
    const area = AREA_OF_PAGE[page] ?? null;
    const openers = teamRoles.filter((role) => area === null || mayUse(role, area));
    return listCallsOf(file, table).flatMap((key) => {
      const row = table[key];
      const refused = key.startsWith('GET') ? [] : openers.filter((role) => isRefused(row, role));
      return refused.length === 0 ? [] : [{ page, key, openers, refused }];
    });
  });
}

/** Text of the page outside scripts, one space between words. */
const readText = (html: string): string =>
  html
    .replaceAll(/<(script|style)\b.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, '|')
    .replaceAll(/[\s|]*\|[\s|]*/g, '|');

test('[OPS-17] offers an action only to roles that may use it', async () => {
  const calls = listRefusedCalls();
  assert.deepEqual(
    [...new Set(calls.map(({ key }) => key))].toSorted(),
    [...Object.keys(CONTROLS), ...RARE].toSorted(),
    'every action that not all who see its page may use has a control',
  );
  const seen = new Map<string, string>();
  const readPage = async (path: string, role: TeamRole): Promise<string> => {
    const known = seen.get(`${role} ${path}`);
    if (known !== undefined) return known;
    const { html, status } = await open(path, role);
    assert.equal(status, 200, `${path} as ${role}`);
    const text = readText(html);
    seen.set(`${role} ${path}`, text);
    return text;
  };
  for (const { page, key, openers, refused } of calls) {
    const control = CONTROLS[key];
    if (control === undefined) continue;
    const path = paths.get(control.at === undefined ? page : `${page} ${control.at}`) ?? page;
    for (const role of openers) {
      const isOffered = (await readPage(path, role)).includes(`|${control.text}|`);
      assert.equal(isOffered, !refused.includes(role), `${control.text} on ${path} as ${role}`);
    }
  }
});

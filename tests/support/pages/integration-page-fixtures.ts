/** The pages of webhooks and API keys. */
import type { Page } from '@playwright/test';
import { createApiKey, getOwnerToken } from '../api-key.ts';
import { signIn } from '../buyer.ts';
import { listAt, textAt, valueAt } from '../read-json.ts';
import type { TestShop } from '../shop.ts';
import { waitUntil } from '../wait-until.ts';
import type { PageFixture } from './page-fixture.ts';

const signInAsOwner = (shop: TestShop, page: Page): Promise<void> => signIn(shop, page, 'owner', 'crypto-market');

/** An endpoint with a long URL, which is disabled after a failed test. Returns its id and that of the delivery. */
async function createEndpoint(shop: TestShop, page: Page): Promise<{ readonly id: string; readonly delivery: string }> {
  const token = await getOwnerToken(shop);
  const url = `https://erp.invalid/${'hooks/'.repeat(30)}`;
  // At most ten exist; fixtures are opened several times.
  const { body: listed } = await shop.api('GET', '/webhooks', { token });
  const [old] = listAt(listed, 'endpoints');
  if (listAt(listed, 'endpoints').length > 5) await shop.api('DELETE', `/webhooks/${textAt(old, 'id')}`, { token });
  const body = { url, description: 'w'.repeat(200), event_types: ['order.paid', 'stock.low'] };
  const id = textAt((await shop.api('POST', '/webhooks', { token, body })).body, 'endpoint', 'id');
  await shop.api('POST', `/webhooks/${id}/test`, { token });
  const read = async () =>
    listAt((await shop.api('GET', `/webhooks/${id}/deliveries`, { token })).body, 'deliveries')[0];
  await waitUntil(async () => valueAt(await read(), 'last_failure') !== null);
  // Nothing changes while the page is tested.
  await shop.api('POST', `/webhooks/${id}/disable`, { token });
  await signInAsOwner(shop, page);
  return { id, delivery: textAt(await read(), 'id') };
}

async function createKey(shop: TestShop, page: Page): Promise<void> {
  await createApiKey(shop, await getOwnerToken(shop), ['orders:read', 'inventory:write', 'webhooks:read'], 30);
  await signInAsOwner(shop, page);
}

export const INTEGRATION_PAGE_FIXTURES: readonly PageFixture[] = [
  {
    name: 'admin webhooks',
    route: '/admin/webhooks',
    path: '/admin/webhooks',
    prepare: async (shop, page) => void (await createEndpoint(shop, page)),
    heading: 'Webhooks',
  },
  {
    name: 'admin webhook',
    route: '/admin/webhooks/:id',
    path: '',
    prepare: async (shop, page) => `/admin/webhooks/${(await createEndpoint(shop, page)).id}`,
    heading: 'Webhook endpoint',
  },
  {
    name: 'admin webhook delivery',
    route: '/admin/webhooks/deliveries/:id',
    path: '',
    prepare: async (shop, page) => `/admin/webhooks/deliveries/${(await createEndpoint(shop, page)).delivery}`,
    heading: 'webhook.test',
  },
  {
    name: 'admin API keys',
    route: '/admin/api-keys',
    path: '/admin/api-keys',
    prepare: createKey,
    heading: 'API keys',
  },
];

/** An owner adds a webhook endpoint, tests it, and creates an API key. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openPage } from '../support/browser.ts';
import { logIn, visit } from '../support/buyer.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { WebhookReceiver } from '../support/webhook-receiver.ts';

let shop: TestShop;
let receiver: WebhookReceiver;
before(async () => {
  receiver = await WebhookReceiver.open();
  shop = await startTestShop({ settings: { WEBHOOK_ALLOW_PRIVATE: '127.0.0.1' } });
});
after(() => Promise.all([shop.stop(), receiver.close()]));

test('[OPS-19] an owner adds an endpoint, tests it and creates a key', async () => {
  const { page, close } = await openPage(shop, { width: 390 });
  await page.goto('/login?to=%2Fadmin%2Fwebhooks');
  await logIn(page, 'owner', 'crypto-market');
  await page.getByText('There are no endpoints yet', { exact: false }).waitFor();
  await page.getByLabel('URL').fill(receiver.url);
  await page.getByRole('checkbox', { name: 'order.paid' }).check();
  // By keyboard: on a phone a notice may lie over the button.
  await page.getByRole('button', { name: 'Add endpoint' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await page.getByText(/^whsec_/).waitFor();
  receiver.secret = await page.getByText(/^whsec_/).innerText();
  // Nothing else closes it: the secret is not shown again.
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
  await page.mouse.click(2, 2);
  await page.getByText(receiver.secret).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Close' }).count(), 0);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByText(receiver.secret).waitFor({ state: 'detached' });

  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('button', { name: 'Send test event' }).click();
  await page.getByRole('link', { name: 'webhook.test' }).waitFor();
  // The page loads again while something is pending.
  await page.getByText('Delivered', { exact: true }).last().waitFor();
  await page.getByRole('link', { name: 'webhook.test' }).click();
  await page.getByRole('heading', { name: 'Attempt 1: status 200' }).waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('heading', { name: 'Attempt 2: status 200' }).waitFor();
  assert.deepEqual([receiver.accepted.length, receiver.invalid], [2, 0]);

  await visit(page, '/admin/api-keys');
  await page.getByLabel('Name').fill('Warehouse');
  await page.getByRole('checkbox', { name: 'inventory:read' }).check();
  await page.getByRole('button', { name: 'Create key' }).click();
  const token = await page.getByText(/^cmk_demo_[0-9a-f]{72}$/).innerText();
  assert.equal((await shop.api('GET', '/inventory', { token })).status, 200);
  await page.getByRole('button', { name: 'I have stored it' }).click();
  await page.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke key' }).click();
  await page.getByText('Revoked', { exact: true }).waitFor();
  assert.equal((await shop.api('GET', '/inventory', { token })).status, 401);
  await close();
});

/** A shop of one or two processes with an owner, a member of support and a customer in browsers of their own. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { openPage } from '../browser.ts';
import type { JourneyPage } from '../browser.ts';
import { logIn, visit } from '../buyer.ts';
import { visitFollowing } from '../pages/live-page.ts';
import { listAt, textAt } from '../read-json.ts';
import type { TestShop } from '../shop.ts';
import type { DayShop } from '../day-shop.ts';
import { waitUntil } from '../wait-until.ts';

/** A busy machine takes longer than the default of a page, which is half a minute. */
const WITHIN_MS = 120_000;
const PASSWORD = 'crypto-market';
/** Directory for screenshots; unset for none. */
const SHOTS = process.env['SHOTS'];

export const CUSTOMER = { username: 'anna', email: 'anna@customer.example' } as const;

export interface ShopDay {
  readonly shop: DayShop;
  /** Staff come through the load balancer, which sends them to the first process. */
  readonly owner: JourneyPage;
  readonly support: JourneyPage;
  /** The customer is at the second process. */
  readonly customer: JourneyPage;
}

async function enter({ page }: JourneyPage, username: string, path: string): Promise<void> {
  page.setDefaultTimeout(WITHIN_MS);
  await visit(page, `/login?to=${encodeURIComponent(path)}`);
  await logIn(page, username, PASSWORD);
  await page.waitForURL(`**${path}`);
}

export async function openShopDay(shop: DayShop): Promise<ShopDay> {
  const api: TestShop['api'] = (method, path, options) => shop.first.api(method, path, options);
  for (const { username, email } of [CUSTOMER, { username: 'lena', email: 'lena@shop.example' }]) {
    const registered = await api('POST', '/users/register', { body: { username, email, password: PASSWORD } });
    assert.equal(registered.status, 201);
  }
  const owner = await openPage(shop);
  await enter(owner, 'owner', '/admin');
  const token = await owner.page.evaluate(() => localStorage.getItem('apple_user_token') ?? '');
  const [cookie] = await owner.context.cookies();
  const changed = await api('PUT', '/staff/role', {
    token,
    cookie: `session=${cookie?.value ?? ''}`,
    body: { username: 'lena', role: 'support' },
  });
  assert.equal(changed.status, 200, JSON.stringify(changed.body));
  const support = await openPage(shop);
  await enter(support, 'lena', '/admin');
  const customer = await openPage(shop.second, { width: 390 });
  await enter(customer, CUSTOMER.username, '/dashboard');
  return { shop, owner, support, customer };
}

/** Pays from the customer's wallet, and mines blocks. */
export async function pay({ shop: { node } }: ShopDay, address: string, amount: bigint, blocks: number): Promise<void> {
  const sent = await node.pay(address, amount);
  assert.ok(sent.ok);
  await node.mine(blocks);
}

/** The second process, as support for tests expects a shop. */
export const getSecondShop = ({ shop: { first, second } }: ShopDay): TestShop => ({ ...first, ...second });

/** Waits for a mail and returns its text. */
export async function waitForMail({ shop }: ShopDay, to: string, subject: string): Promise<string> {
  const find = async (): Promise<unknown> =>
    listAt((await shop.second.api('GET', `/dev/mail?to=${encodeURIComponent(to)}`)).body).find((mail) =>
      textAt(mail, 'subject').startsWith(subject),
    );
  await waitUntil(async () => (await find()) !== undefined);
  return textAt(await find(), 'text');
}

/** Opens a page of the back office and waits until it follows changes. */
export const follow = ({ page }: JourneyPage, path: string): Promise<unknown> => visitFollowing(page, path);

/** Confirms the dialog of an action. */
export const confirm = (page: Page, name: string): Promise<void> =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();

export async function saveScreenshot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
}

/** Fails if a page had a problem, such as a failed request. */
export async function closeShopDay({ customer, owner, support }: ShopDay): Promise<void> {
  for (const { close } of [owner, support, customer]) await close();
}

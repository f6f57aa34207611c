/** Reads an order on its payment link without a login, and on its own page, signed in. */
import assert from 'node:assert/strict';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { launchChromium } from './chromium.ts';
import type { Expected, NodeOrder, StepObserver } from './node-order.ts';
import type { NodeShop } from './node-shop.ts';
import { textAt } from './read-json.ts';

const normaliseSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

export class OrderScreen implements StepObserver {
  /** Texts in the order read. */
  readonly read: string[] = [];
  readonly #nodeShop: NodeShop;
  readonly #browser: Browser;
  #signedIn: { readonly name: string; readonly page: Page } | null = null;
  #anybody: Page | null = null;
  #staff: Page | null = null;
  readonly #paths = new Map<string, string>();
  readonly #errors: string[] = [];

  private constructor(nodeShop: NodeShop, browser: Browser) {
    this.#nodeShop = nodeShop;
    this.#browser = browser;
  }

  static async open(nodeShop: NodeShop): Promise<OrderScreen> {
    return new OrderScreen(nodeShop, await launchChromium());
  }

  async observeStep(order: NodeOrder, expected: Expected): Promise<void> {
    const paying = await this.#visit(await this.#getAnonymousPage(), await this.#payPath(order));
    assert.equal(normaliseSpaces(await paying.getByRole('heading', { level: 1 }).innerText()), expected.heading);
    const title = await this.#readMessage(paying, expected);
    await this.#checkReceived(paying, expected);
    if (expected.missing !== null) await this.#checkRequest(paying, expected);
    else assert.equal(await paying.getByRole('link', { name: 'Open in wallet' }).count(), 0, 'nothing is asked for');
    const own = await this.#visit(await this.#getBuyerPage(order), `/dashboard/orders/${order.id}`);
    await this.#readMessage(own, expected);
    await this.#checkReceived(own, expected);
    await this.#checkStaffTask(order, expected);
    this.read.push(title);
    assert.deepEqual(this.#errors.splice(0), [], 'the pages had errors');
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  async #readMessage(page: Page, { title, text }: Expected): Promise<string> {
    const message = page
      .getByRole('main')
      .getByRole('status')
      .filter({ hasText: /./ })
      .filter({ has: page.locator('strong') });
    const titles = (await message.locator('strong:first-child').allInnerTexts()).map(normaliseSpaces);
    assert.deepEqual(titles, [title]);
    const announcement = normaliseSpaces(await message.innerText());
    if (text !== null) assert.ok(announcement.includes(text), `"${text}" in "${announcement}"`);
    return title;
  }

  async #checkReceived(page: Page, { received }: Expected): Promise<void> {
    const shown = page.getByRole('heading', { name: /^Received / });
    if (received === null) assert.equal(await shown.count(), 0, 'nothing was received');
    else assert.equal(normaliseSpaces(await shown.innerText()), `Received ${received} BTC`);
  }

  /** Amount, address and link of the requested payment. */
  async #checkRequest(page: Page, { missing, address }: Expected): Promise<void> {
    const main = page.getByRole('main');
    assert.ok((await main.getByText(`${missing} BTC`, { exact: true }).count()) > 0, `${missing} BTC is requested`);
    assert.ok((await main.innerText()).replaceAll(/\s/g, '').includes(address), 'the address is written');
    const uri = new URL((await main.getByRole('link', { name: 'Open in wallet' }).getAttribute('href')) ?? '');
    assert.equal(uri.pathname, address);
    assert.equal(Number(uri.searchParams.get('amount')), Number(missing));
  }

  /** Checks the staff task in the browser. */
  async #checkStaffTask({ id }: NodeOrder, { needs }: Expected): Promise<void> {
    const list = await this.#visit(await this.#getStaffPage(), '/admin/payments');
    const links = await list.getByRole('main').locator(`a[href="/admin/orders/${id}"]`).count();
    assert.equal(links > 0, needs !== null, `the order must ${needs === null ? 'not ' : ''}be a staff task`);
  }

  async #visit(page: Page, path: string): Promise<Page> {
    const response = await page.goto(`${this.#nodeShop.shop.url}${path}`);
    assert.equal(response?.status(), 200, path);
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    return page;
  }

  async #payPath(order: NodeOrder): Promise<string> {
    const known = this.#paths.get(order.id);
    if (known !== undefined) return known;
    const path = textAt((await order.call('GET', '/timeline')).body, 'pay_path');
    this.#paths.set(order.id, path);
    return path;
  }

  async #openNewPage(): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
    const context = await this.#browser.newContext({ locale: 'en-US', timezoneId: 'UTC' });
    const page = await context.newPage();
    page.on('pageerror', (error) => this.#errors.push(error.message));
    return { page, context };
  }

  async #getAnonymousPage(): Promise<Page> {
    this.#anybody ??= (await this.#openNewPage()).page;
    return this.#anybody;
  }

  async #getBuyerPage({ buyer: { name } }: NodeOrder): Promise<Page> {
    if (this.#signedIn?.name === name) return this.#signedIn.page;
    await this.#signedIn?.page.context().close();
    this.#signedIn = { name, page: await this.#signIn(name) };
    return this.#signedIn.page;
  }

  async #getStaffPage(): Promise<Page> {
    this.#staff ??= await this.#signIn('staff');
    return this.#staff;
  }

  async #signIn(name: string): Promise<Page> {
    const { page, context } = await this.#openNewPage();
    const { url } = this.#nodeShop.shop;
    await context.addCookies((await this.#nodeShop.getCookies(name)).map((cookie) => ({ ...cookie, url })));
    return page;
  }
}

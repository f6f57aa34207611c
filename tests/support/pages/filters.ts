/** A filtered list on the page, and the API's result for the same filters. */
import type { Locator, Page } from '@playwright/test';
import { listAt, textAt } from '../read-json.ts';
import type { TestShop } from '../shop.ts';

export const getPanel = (page: Page): Locator => page.getByRole('dialog', { name: 'Filters' });
export const getOpener = (page: Page): Locator => page.getByRole('button', { name: /^(?:Show|Hide) Filters$/ });
export const getCheckbox = (page: Page, name: RegExp | string): Locator =>
  getPanel(page).getByRole('checkbox', { name });
export const getFromField = (page: Page): Locator => getPanel(page).getByLabel('From, $');
export const getToField = (page: Page): Locator => getPanel(page).getByLabel('To, $');
export const listCards = (page: Page): Promise<string[]> =>
  page.getByRole('article').getByRole('heading').allInnerTexts();

/** Waits until the page shows these products, in this order. */
export const waitForCards = (page: Page, names: readonly string[]) =>
  page.waitForFunction(
    (wanted) => [...document.querySelectorAll('main article h3')].map((name) => name.textContent).join() === wanted,
    names.join(),
  );

export const waitForReady = (page: Page) =>
  page.waitForFunction(() => document.documentElement.hasAttribute('data-ready'));

/** Opens a page with scripts and its filter panel. */
export async function openFilters(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitForReady(page);
  // From 1280 px on it is open from the start.
  if (!(await getFromField(page).isVisible())) await getOpener(page).click();
  await getFromField(page).waitFor();
}

/** Number of displayed products. */
export async function getCount(page: Page): Promise<number> {
  return Number.parseInt(await page.getByRole('main').locator('output').first().innerText(), 10);
}

export async function waitForCount(page: Page, total: number): Promise<void> {
  const text = `${total} ${total === 1 ? 'product' : 'products'}`;
  await page.getByRole('main').locator('output').getByText(text, { exact: true }).first().waitFor();
}

/** Number of products that the API returns for a query. */
export async function countByApi(shop: TestShop, query: string): Promise<number> {
  return Number((await shop.api('GET', `/products?limit=1&${query}`)).headers.get('x-total-count'));
}

/** Names of the products that the API returns for a query. */
export async function listNamesByApi(shop: TestShop, query: string): Promise<readonly string[]> {
  return listAt((await shop.api('GET', `/products?${query}`)).body).map((product) => textAt(product, 'name'));
}

/** Ids of all values with one name; the catalogue's panel has one box for them. */
export async function listValueIdsByApi(shop: TestShop, property: string, value: string): Promise<readonly string[]> {
  const categories = listAt((await shop.api('GET', '/categories')).body);
  return categories
    .flatMap((category) => listAt(category, 'properties'))
    .filter((one) => textAt(one, 'name') === property)
    .flatMap((one) => listAt(one, 'values'))
    .filter((one) => textAt(one, 'value') === value)
    .map((one) => textAt(one, 'id'));
}

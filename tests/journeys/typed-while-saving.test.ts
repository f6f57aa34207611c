/** Saving a form of the back office: what is typed meanwhile stays, and a lost answer does no harm. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Locator, Page, Route } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { signIn, visit } from '../support/buyer.ts';
import { CatalogueEditor } from '../support/catalogue-editor.ts';
import { holdRequest } from '../support/pages/hold-request.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
let product: string;
before(async () => {
  shop = await startTestShop();
  const editor = await CatalogueEditor.open(shop);
  product = (await editor.create(await editor.createContent())).id;
});
after(() => shop.stop());

interface Form {
  readonly name: string;
  readonly path: () => string;
  /** Path of the call that saves. */
  readonly call: RegExp;
  readonly find: (page: Page) => Promise<{ readonly field: Locator; readonly save: Locator }>;
}

const FORMS: readonly Form[] = [
  {
    name: '[OPS-07] section of the home page',
    path: () => '/admin/content',
    call: /content\/home\/hero/,
    find: async (page) => {
      await page.getByRole('heading', { level: 2, name: 'Hero', exact: true }).click();
      return {
        field: page.getByLabel('Subtitle').first(),
        save: page.getByRole('button', { name: 'Save hero' }),
      };
    },
  },
  {
    name: '[OPS-07] question',
    path: () => '/admin/content?part=faq',
    call: /content\/faq/,
    find: async (page) => {
      const item = page.locator('[data-question]').first();
      await item.getByRole('button', { name: /^Edit/ }).click();
      return { field: item.getByLabel('Answer'), save: item.getByRole('button', { name: 'Save question' }) };
    },
  },
  {
    name: '[OPS-07] settings',
    path: () => '/admin/settings',
    call: /settings/,
    find: async (page) => {
      const main = page.getByRole('main');
      return { field: main.getByLabel('Name of the shop'), save: main.getByRole('button', { name: 'Save' }) };
    },
  },
  {
    name: '[OPS-02] product',
    path: () => `/admin/products/${product}`,
    call: /catalogue\/products/,
    find: async (page) => {
      const main = page.getByRole('main');
      return {
        field: main.getByLabel('Summary, in one line'),
        save: main.getByRole('button', { name: 'Save draft' }),
      };
    },
  },
];

const listTexts = (former: string) => ({ 'another text': 'Second text', 'the former text': former });

for (const { name, path, call, find } of FORMS) {
  for (const kind of ['another text', 'the former text'] as const) {
    test(`${name}: ${kind} typed while saving stays`, async () => {
      const { page, close } = await openPage(shop, { width: 1440, height: 900 });
      await signIn(shop, page, 'owner', 'crypto-market');
      await visit(page, path());
      const { field, save } = await find(page);
      const typed = listTexts(await field.inputValue())[kind];
      await field.fill('First text');
      const saving = await holdRequest(page, ({ pathname }) => call.test(pathname), 'request', 'PUT');
      await save.click();
      await saving.waitUntilHeld();
      await field.fill(typed);
      const waitForSave = () =>
        page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
      const first = waitForSave();
      saving.release();
      await first;
      const waitForEnd = () => page.locator('main [aria-busy]').first().waitFor({ state: 'detached' });
      await waitForEnd();
      assert.equal(await field.inputValue(), typed);
      // It is based on what was saved, so there is no conflict.
      const second = waitForSave();
      await save.click();
      await second;
      await waitForEnd();
      await visit(page, path());
      assert.equal(await (await find(page)).field.inputValue(), typed);
      await close();
    });
  }
}

/** The shop saves once, and its answer does not arrive. */
async function loseAnswer(page: Page, call: RegExp): Promise<void> {
  let isLost = false;
  await page.route(
    ({ pathname }) => call.test(pathname),
    async (route: Route) => {
      // Pages also read by this path, which `times` would count.
      if (isLost || route.request().method() !== 'PUT') return route.fallback();
      isLost = true;
      await route.fetch();
      await route.abort('connectionreset');
    },
  );
}

for (const { name, path, call, find } of FORMS) {
  test(`${name}: a save without an answer is no conflict`, async () => {
    const { page, context, getProblems } = await openPage(shop, { width: 1440, height: 900 });
    await signIn(shop, page, 'owner', 'crypto-market');
    await visit(page, path());
    const { field, save } = await find(page);
    await loseAnswer(page, call);
    await field.fill('Saved without an answer');
    await save.click();
    const main = page.getByRole('main');
    const failure = main.getByRole('alert').filter({ hasText: 'The shop did not respond.' });
    await failure.waitFor();
    // Live changes wait while a field has the focus.
    await page.locator('h1').click();
    await failure.waitFor({ state: 'detached' });
    await field.fill('Saved at last');
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await save.click();
    assert.equal((await saved).status(), 200);
    await failure.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('dialog').count(), 0);
    await visit(page, path());
    assert.equal(await (await find(page)).field.inputValue(), 'Saved at last');
    assert.deepEqual(
      getProblems().filter((line) => !/ERR_CONNECTION_RESET|was not saved/.test(line)),
      [],
    );
    await context.close();
  });
}

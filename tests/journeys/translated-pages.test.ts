/** Every page while the browser translates it: changed fields, opened parts, and client-side navigation. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { openPage } from '../support/browser.ts';
import { waitForEffects } from '../support/buyer.ts';
import { openPageFixture, PAGE_FIXTURES } from '../support/pages/page-fixtures.ts';
import { translatePages, waitForTranslation } from '../support/pages/translate-page.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

/** Runs in the page. Changes every field and presses every button that sends nothing; what these leave may be anything. */
async function driveControls(): Promise<void> {
  const MOST_CONTROLS = 60;
  const rest = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const setValue = (field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement, value: string): void => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')?.set?.call(field, value);
    field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }));
    field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  };
  // The browser of the tests permits no writing to the clipboard.
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.resolve() } });
  const main = document.querySelector('main');
  for (const part of main?.querySelectorAll('details') ?? []) part.open = true;
  for (const field of [...(main?.querySelectorAll('input, textarea, select') ?? [])].slice(0, MOST_CONTROLS)) {
    if (!field.isConnected || field.matches(':disabled, [readonly], [type="file"], [type="hidden"]')) continue;
    if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)) field.click();
    else if (field instanceof HTMLSelectElement) setValue(field, field.options[field.options.length - 1]?.value ?? '');
    else if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
      for (const value of [/^(?:date|time)/.test(field.type) ? '' : '3', '']) {
        setValue(field, value);
        await rest();
      }
    }
    await rest();
  }
  for (const button of [...(main?.querySelectorAll('button') ?? [])].slice(0, MOST_CONTROLS)) {
    if (!button.isConnected || button.disabled || button.type !== 'button') continue;
    button.click();
    await rest();
    for (const dialog of document.querySelectorAll('dialog[open]')) {
      dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
      await rest();
    }
  }
  document.dispatchEvent(new Event('visibilitychange'));
  await rest();
}

/** Leaves the page without a new document, so that all its parts are removed. */
async function leave(page: Page): Promise<void> {
  const target = (await page.locator('a[href="/admin/carriers"]').count()) > 0 ? '/admin/carriers' : '/free-shipping';
  await page
    .locator(`a[href="${target}"]`)
    .first()
    .evaluate((element: HTMLElement) => element.click());
  await page.waitForURL(`**${target}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

for (const fixture of PAGE_FIXTURES) {
  test(`[LAY-17] changes while translated: ${fixture.name}`, async () => {
    const expectedStatuses = [400, 401, 403, 404, 409, 422, 429, ...(fixture.status ? [fixture.status] : [])];
    const { page, close } = await openPage(shop, { expectedStatuses });
    const path = await fixture.prepare?.(shop, page);
    await translatePages(page);
    await openPageFixture(page, fixture, path);
    await waitForTranslation(page);
    // Such a field drops what is typed or pasted beyond its end.
    assert.equal(await page.locator('[maxlength]').count(), 0);
    await page.evaluate(driveControls);
    await waitForEffects(page);
    await leave(page);
    await close();
  });
}

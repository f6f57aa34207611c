/** Uses a page that the browser translates: changed fields, opened parts, pressed buttons and client-side navigation. */
import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { waitForEffects } from '../buyer.ts';
import { waitUntil } from '../wait-until.ts';
import { translatePage } from './translate-page.ts';

/** Defines in the page how a field is changed, and how long React takes to follow. */
const TOOLS = `
  const rest = () => new Promise((done) => setTimeout(done));
  const setValue = (field, value) => {
    Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value').set.call(field, value);
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
    field.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
  };
  const list = (selector) => [...document.querySelectorAll('main ' + selector)].slice(0, 60);
`;

/** Opens all parts, and changes the fields: each is filled and emptied, or chosen. */
const CHANGE_FIELDS = `(async () => {
  ${TOOLS}
  for (const part of list('details')) part.open = true;
  for (const field of list(':is(input, textarea, select):not(:disabled, [readonly], [type="file"], [type="hidden"])')) {
    if (!field.isConnected) continue;
    if (/^(?:checkbox|radio)$/.test(field.type)) field.click();
    else if (field.tagName === 'SELECT') setValue(field, field.options[field.options.length - 1]?.value ?? '');
    else {
      if (!/^(?:date|time)/.test(field.type)) setValue(field, '3');
      await rest();
      setValue(field, '');
    }
    await rest();
  }
})()`;

/** Presses the buttons that send nothing, and closes the dialogs that they open. */
const PRESS_BUTTONS = `(async () => {
  ${TOOLS}
  // The browser of the tests permits no writing to the clipboard.
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.resolve() } });
  for (const button of list('button[type="button"]:not(:disabled)')) {
    if (!button.isConnected) continue;
    button.click();
    await rest();
    for (const dialog of document.querySelectorAll('dialog[open]')) {
      dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
      await rest();
    }
  }
  document.dispatchEvent(new Event('visibilitychange'));
  await rest();
})()`;

/** Leaves the page without a new document, so that all its parts are removed. */
async function leave(page: Page): Promise<void> {
  const { pathname } = new URL(page.url());
  const isBackOffice = (await page.locator('nav[aria-label="Back office"]').count()) > 0;
  const other = pathname === '/admin' ? '/admin/orders' : '/admin';
  const target = isBackOffice ? other : '/free-shipping';
  const link = page.locator(`a[href="${target}"]`).first();
  // A button that was pressed before may lead elsewhere meanwhile, such as to the ticket of a return.
  await waitUntil(async () => {
    await link.evaluate((element: HTMLElement) => element.click());
    return page.waitForURL(`**${target}`, { timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  });
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Statuses of calls with the values that the fields get here. */
export const REFUSALS = [400, 401, 403, 404, 409, 422, 429];

/** Translates the open page, uses all its controls that send nothing, and leaves it. */
export async function changeWhileTranslated(page: Page): Promise<void> {
  await translatePage(page);
  // Such a field drops what is typed or pasted beyond its end.
  assert.equal(await page.locator('[maxlength]').count(), 0);
  await page.evaluate(CHANGE_FIELDS);
  await page.evaluate(PRESS_BUTTONS);
  await waitForEffects(page);
  await leave(page);
}

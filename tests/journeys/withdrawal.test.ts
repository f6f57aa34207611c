/** Withdrawal from the contract in a browser without scripts, by keyboard, and what staff then see. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from '@playwright/test';
import { assertAccessibleInBothSchemes } from '../support/axe.ts';
import { openPage } from '../support/browser.ts';
import { callAs, mine, openCartAsBuyer, payOrder, placeOrder, signIn, visit } from '../support/buyer.ts';
import { listAt, textAt } from '../support/read-json.ts';
import { startTestShop } from '../support/shop.ts';
import type { TestShop } from '../support/shop.ts';
import { waitUntil } from '../support/wait-until.ts';
import { saveScreenshots } from '../support/screenshots.ts';
import { resize } from '../support/pages/frames.ts';

let shop: TestShop;
before(async () => {
  shop = await startTestShop();
});
after(() => shop.stop());

interface PaidOrder {
  readonly id: string;
  readonly number: string;
  readonly email: string;
}

/** A paid order of a new buyer, and their signed-in page. */
async function createPaidOrder(): Promise<PaidOrder & Awaited<ReturnType<typeof openPage>>> {
  const opened = await openPage(shop);
  const { page } = opened;
  await openCartAsBuyer(shop, page);
  const id = await placeOrder(shop, page);
  await payOrder(shop, id);
  await mine(shop, 6);
  const readOrder = () => callAs(shop, page, 'GET', `/orders/${id}`);
  await waitUntil(async () => textAt(await readOrder(), 'order', 'payment_status') === 'paid');
  const number = textAt(await readOrder(), 'order', 'number');
  const email = textAt(await callAs(shop, page, 'GET', '/users/user'), 'email');
  return { ...opened, id, number, email };
}

const field = (page: Page, label: string) => page.getByRole('main').getByLabel(label, { exact: true });
const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click();
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

async function listMails(email: string): Promise<string[]> {
  const { body } = await shop.api('GET', `/dev/mail?to=${encodeURIComponent(email)}`);
  return listAt(body).map((mail) => `${textAt(mail, 'subject')}\n${textAt(mail, 'text')}`);
}
async function waitForMail(email: string, pattern: RegExp): Promise<string> {
  let found: string | undefined;
  await waitUntil(async () => {
    found = (await listMails(email)).find((mail) => pattern.test(mail));
    return found !== undefined;
  });
  return found ?? '';
}

test('[RET-01] [RET-03] [OPS-27] withdraws without scripts, from the footer to the PDF', async () => {
  const order = await createPaidOrder();
  await order.close();
  const { page, close } = await openPage(shop, { javaScript: false, expectedStatuses: [400] });
  await page.goto('/contact');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Withdraw from contract here' }).click();
  await waitForHeading(page, 'Withdraw from contract');
  await saveScreenshots(page, 'withdrawal');
  await press(page, 'Continue');
  assert.equal(await field(page, 'Order number').getAttribute('aria-invalid'), 'true');
  assert.equal(await field(page, 'Your name').getAttribute('aria-invalid'), 'true');
  await saveScreenshots(page, 'withdrawal-refused');
  await field(page, 'Order number').fill(order.number);
  await field(page, 'Mail address of the order').fill(order.email);
  await field(page, 'Your name').fill('Ada Lovelace');
  // The first button of the form.
  await field(page, 'Your name').press('Enter');
  await waitForHeading(page, 'Confirm your withdrawal');
  await saveScreenshots(page, 'withdrawal-confirm');
  await press(page, 'Change it');
  assert.equal(await field(page, 'Your name').inputValue(), 'Ada Lovelace');
  await field(page, 'Reason (optional)').fill('Too large');
  await press(page, 'Continue');
  await page.getByText('Reason (not required): Too large').waitFor();
  await press(page, 'Confirm withdrawal');
  await page.waitForURL('**/withdrawal/receipt/*');
  await waitForHeading(page, 'We received your statement');
  await saveScreenshots(page, 'withdrawal-statement');
  const reference = /R-\w{4}-\w{4}/.exec(await page.getByRole('main').innerText())?.[0] ?? assert.fail();
  await waitForMail(order.email, new RegExp(`we received your withdrawal[^]*${reference}`));
  const pdf = await page.getByRole('link', { name: 'Download the acknowledgement as PDF' }).getAttribute('href');
  const response = await fetch(`${shop.url}${pdf ?? ''}`);
  assert.equal(response.headers.get('content-type'), 'application/pdf');
  await close();
});

test('[RET-01] [RET-02] the link of the delivery mail leads to a choice of units', async () => {
  const order = await createPaidOrder();
  await order.close();
  const staff = await openPage(shop);
  await signIn(shop, staff.page, 'staff', 'crypto-market');
  await callAs(shop, staff.page, 'POST', `/orders/${order.id}/ship`, {});
  const link = /\/withdrawal\/[\w-]{22}\.[\w-]{43}/;
  const mail = await waitForMail(order.email, link);
  const path = link.exec(mail)?.[0] ?? assert.fail(mail);
  const { page, close } = await openPage(shop, { javaScript: false });
  await page.goto(path);
  assert.equal(await field(page, 'Your name').inputValue(), 'Ada Lovelace');
  await saveScreenshots(page, 'withdrawal-by-link');
  await press(page, 'Continue');
  await press(page, 'Confirm withdrawal');
  await waitForHeading(page, 'We received your withdrawal');
  await page.getByText(/so it comes back as a return: 1 × iPhone Air/).waitFor();
  await saveScreenshots(page, 'withdrawal-received');
  await page.goto(path);
  await page.getByText(/Nothing of the order is left/).waitFor();
  await close();
  await visit(staff.page, `/admin/orders/${order.id}`);
  const section = staff.page.getByRole('region', { name: 'Withdrawals' });
  await section.getByText(/^Refund due by/).waitFor();
  await staff.page.getByRole('heading', { name: 'The buyer withdrew from the contract' }).waitFor();
  await assertAccessibleInBothSchemes(staff.page);
  await saveScreenshots(staff.page, 'withdrawal-for-staff');
  await staff.close();
});

test('[RET-01] [LAY-19] both steps work by keyboard, from the order of the buyer', async () => {
  const { page, close, id } = await createPaidOrder();
  await visit(page, `/dashboard/orders/${id}`);
  await saveScreenshots(page, 'order-with-withdrawal');
  await page.getByRole('link', { name: 'Withdraw from contract here' }).first().focus();
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'Withdraw from contract');
  await field(page, 'Your name').focus();
  // The form is sent by its first submit button: the next step.
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'Confirm your withdrawal');
  for (const width of [390, 1440]) {
    await resize(page, width, 900);
    await assertAccessibleInBothSchemes(page);
  }
  await page.getByRole('button', { name: 'Confirm withdrawal' }).focus();
  await page.keyboard.press('Enter');
  await waitForHeading(page, 'We received your withdrawal');
  await page.getByText(/so we stopped it: 1 × iPhone Air/).waitFor();
  await visit(page, `/dashboard/orders/${id}`);
  await page.getByText(/^We refund it by/).waitFor();
  await saveScreenshots(page, 'order-withdrawn');
  await close();
});

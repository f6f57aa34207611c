/** What the owner sets before the first sale of the day. */
import { visit } from '../buyer.ts';
import { valueAt } from '../read-json.ts';
import { waitUntil } from '../wait-until.ts';
import type { ShopDay } from './shop-day.ts';

/** Germany: 19 % in the prices, and $4.90 for shipping. */
export async function setTaxAndShipping({ owner: { page }, shop }: ShopDay): Promise<void> {
  await visit(page, '/admin/settings');
  await page.getByLabel('Tax number', { exact: true }).fill('DE123456789');
  await page.getByRole('main').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('main').getByText('All changes are saved').waitFor();
  await visit(page, '/admin/tax');
  const country = page.getByRole('group', { name: 'Country 1', exact: true });
  await country.getByLabel('Country', { exact: true }).selectOption({ label: 'Germany' });
  await country.getByLabel('Standard rate in %').fill('19');
  await page.getByRole('button', { name: 'Save tax' }).click();
  await page.getByText('Tax saved').first().waitFor();

  await visit(page, '/admin/shipping');
  await page.getByRole('button', { name: 'Add zone' }).click();
  const zone = page.getByRole('group', { name: 'Zone 2', exact: true });
  await zone.getByLabel('Name', { exact: true }).fill('Germany');
  await zone.getByLabel('Countries', { exact: true }).selectOption({ label: 'Germany' });
  await zone.getByLabel('Shipping costs $').fill('4.90');
  await page.getByRole('button', { name: 'Save shipping' }).click();
  await page.getByText('Shipping saved').first().waitFor();
  await waitUntil(async () => {
    const { body } = await shop.second.api('GET', '/shipping');
    return valueAt(body, 'is_free_everywhere') === false;
  });
}

/** Staff get a mail for each paid order. */
export async function askForPaidOrderMails({ owner: { page } }: ShopDay): Promise<void> {
  await visit(page, '/admin/orders');
  await page.getByText('Mails about paid orders', { exact: true }).click();
  await page.getByLabel('Staff get a mail').selectOption({ label: 'For each paid order' });
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Setting saved').waitFor();
}

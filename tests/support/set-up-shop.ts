/** A merchant who sets up a shop in the browser, led by the checklist. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { Locator, Page } from '@playwright/test';
import { TOKEN_KEY } from '#src/ui/browser/browser-storage.ts';
import { LEGAL_TITLES } from '#src/shop/content/legal/legal-kind.ts';
import type { TestShop } from './shop.ts';
import { visit } from './buyer.ts';
import { makePicture } from './hostile-pictures.ts';

const PASSWORD = 'a long enough password';
const COLOURS = ['Red', 'Blue'];
const SIZES = ['S', 'M', 'L'];

export const PRODUCT = { name: 'City bike', slug: 'city-bike', price: '499', ownPrice: '549.50' };
/** Its last unit is sold. */
export const LAST = { colour: 'Red', size: 'S' };

const getMain = (page: Page): Locator => page.getByRole('main');
const getSection = (page: Page, name: string): Locator => getMain(page).getByRole('region', { name, exact: true });
const isOn = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const waitForText = (page: Page, text: string): Promise<void> =>
  page.getByText(text, { exact: true }).first().waitFor();

/** Registers and logs in on the pages. */
export async function openAccount(page: Page, username: string): Promise<void> {
  await visit(page, '/registration');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Email').fill(`${username}@bikes.example`);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const agrees = getMain(page).getByRole('checkbox');
  if ((await agrees.count()) > 0) await agrees.check();
  await page.getByRole('button', { name: 'Register' }).click();
  await logIn(page, username);
}

/** Logs in on the login page that is open. */
export async function logIn(page: Page, username: string): Promise<void> {
  await isOn(page, 'Login');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await getMain(page).getByRole('button', { name: 'Login' }).click();
  await page.waitForURL(({ pathname }) => pathname !== '/login');
}

/** Runs a command of the manual. @returns the first line that it prints */
async function runCommand({ place }: Pick<TestShop, 'place'>, ...words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['scripts/run.mjs', ...words], {
    env: { PATH: process.env['PATH'], ...place },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  assert.equal(code, 0, printed);
  return printed.split('\n')[0] ?? '';
}

export async function makeOwner(shop: Pick<TestShop, 'place'>, username: string): Promise<void> {
  assert.equal(await runCommand(shop, 'staff', 'owner', username), `${username} is owner now.`);
}

/** Records a backup that another tool made. */
export async function recordBackup(shop: Pick<TestShop, 'place'>): Promise<void> {
  await runCommand(shop, 'db', 'backup-done');
}

/** Opens the checklist by its link, checks how many steps are done, and opens the next one. */
async function followChecklist(page: Page, done: number, link: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Home' }).click();
  await isOn(page, 'Home');
  await getMain(page).getByRole('heading', { name: 'Set up your shop' }).waitFor();
  await getMain(page)
    .getByText(new RegExp(`^${done} of \\d+ done`))
    .waitFor();
  await getMain(page).getByRole('link', { name: link, exact: true }).click();
}

async function save(page: Page, title: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const main = getMain(page);
  for (const [label, text] of Object.entries(fields)) await main.getByLabel(label, { exact: true }).fill(text);
  await main.getByRole('button', { name: 'Save' }).click();
  await waitForText(page, `${title} saved`);
}

async function publishTexts(page: Page): Promise<void> {
  for (const title of Object.values(LEGAL_TITLES)) {
    await getMain(page).getByRole('link', { name: title, exact: true }).click();
    await getMain(page)
      .getByRole('heading', { name: `${title}: draft` })
      .waitFor();
    await getMain(page).getByLabel('Summary').fill(`${title} of our shop.`);
    await getMain(page).getByLabel('Text', { exact: true }).fill(`## ${title}\n\nThese are ours: {shop_name}.`);
    await getMain(page).getByRole('button', { name: 'Save draft' }).click();
    await getMain(page).getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await getMain(page).getByText('Version 1 is in force.', { exact: false }).waitFor();
  }
}

async function addProperty(page: Page, name: string, values: readonly string[]): Promise<void> {
  const main = getMain(page);
  await main.getByRole('button', { name: 'Add property' }).click();
  await main.getByLabel('Property', { exact: true }).last().fill(name);
  for (const [index, value] of values.entries()) {
    await main
      .getByRole('group', { name: `Values of ${name}` })
      .getByRole('button', { name: 'Add value' })
      .click();
    await main.getByLabel(`Value ${index + 1} of ${name}`).fill(value);
  }
}

async function addCategory(page: Page): Promise<void> {
  const main = getMain(page);
  const add = getSection(page, 'Add a category');
  await add.getByLabel('Name').fill('Bikes');
  await add.getByRole('button', { name: 'Add category' }).click();
  await main.getByText('Bikes', { exact: true }).click();
  await addProperty(page, 'Colour', COLOURS);
  await addProperty(page, 'Size', SIZES);
  await main.getByRole('button', { name: 'Save category' }).click();
  await main.getByText('Colour, Size', { exact: false }).waitFor();
}

const choosePicture = async (name: string, seed: number) => ({
  name,
  mimeType: 'image/png',
  buffer: await makePicture('png', { width: 300, height: 300, seed }),
});

/** Drops a file on the drop area of a group of pictures. */
async function dropPicture(page: Page, group: Locator, name: string, seed: number): Promise<void> {
  const base64 = (await choosePicture(name, seed)).buffer.toString('base64');
  const transfer = await page.evaluateHandle(
    (file) => {
      const dropped = new DataTransfer();
      const bytes = Uint8Array.from(atob(file.base64), (letter) => letter.charCodeAt(0));
      dropped.items.add(new File([bytes], file.name, { type: 'image/png' }));
      return dropped;
    },
    { name, base64 },
  );
  await group.getByText('or drop files here').dispatchEvent('drop', { dataTransfer: transfer });
}

async function addPictures(page: Page): Promise<void> {
  const main = getMain(page);
  const all = main.getByRole('group', { name: 'Pictures', exact: true });
  await dropPicture(page, all, 'bike.png', 1);
  await all.getByLabel('Alternative text of picture 1').fill('A city bike with a basket');
  const chooser = page.waitForEvent('filechooser');
  await all.getByRole('button', { name: 'Add pictures' }).click();
  await (await chooser).setFiles([await choosePicture('side.png', 2)]);
  await all.getByLabel('Alternative text of picture 2').fill('The bike from the side');
  for (const [index, colour] of COLOURS.entries()) {
    await main.getByRole('button', { name: colour, exact: true }).click();
    const group = main.getByRole('group', { name: `Pictures in ${colour}` });
    await group.locator('input[type=file]').setInputFiles([await choosePicture(`${colour}.png`, 10 + index)]);
    await group.getByLabel('Alternative text of picture 1').fill(`The ${colour.toLowerCase()} bike`);
  }
}

async function addProduct(page: Page): Promise<void> {
  const main = getMain(page);
  await main.getByText('A product needs a brand.').waitFor();
  await main.getByRole('link', { name: 'Add a brand' }).click();
  await isOn(page, 'Brands');
  await getSection(page, 'Add a brand').getByLabel('Name').fill('Velo');
  await getSection(page, 'Add a brand').getByRole('button', { name: 'Add brand' }).click();
  await main.getByText('Velo', { exact: true }).waitFor();
  await followChecklist(page, 6, 'Add product');
  await isOn(page, 'New product');
  await main.getByLabel('Name', { exact: true }).fill(PRODUCT.name);
  await main.getByLabel('Base price in USD').fill(PRODUCT.price);
  await main.getByLabel('Article number').fill('BIKE');
  await main.getByLabel('Summary, in one line').fill('Seven gears and a basket');
  for (const [property, values] of [
    ['Colour', COLOURS],
    ['Size', SIZES],
  ] as const) {
    const add = main.getByRole('combobox', { name: `Add ${property}` });
    for (const value of values) {
      await add.fill(value);
      await main.getByRole('listbox').getByRole('option', { name: value, exact: true }).click();
    }
  }
  await main.getByText('6 variants.', { exact: false }).waitFor();
  await main.getByLabel('Own price of Blue, L').fill(PRODUCT.ownPrice);
  await main.getByRole('button', { name: 'Save draft' }).click();
  await isOn(page, PRODUCT.name);
  // Publishing needs a picture.
  await main.getByRole('button', { name: 'Publish', exact: true }).click();
  await main.getByText('Add at least one picture before you publish').first().waitFor();
  await addPictures(page);
  await main.getByRole('button', { name: 'Publish', exact: true }).click();
  await main.getByText('Active', { exact: true }).waitFor();
}

/** Five units of each variant, one of the last. */
async function setStock(page: Page): Promise<void> {
  const main = getMain(page);
  for (const colour of COLOURS) {
    for (const size of SIZES) {
      const name = `${PRODUCT.name} (${colour}, ${size})`;
      const isLast = colour === LAST.colour && size === LAST.size;
      await main.getByLabel(`On hand: ${name}`, { exact: true }).fill(isLast ? '1' : '5');
    }
  }
  await main.getByRole('button', { name: 'Save counts' }).click();
  await page.getByText(`Stock of ${COLOURS.length * SIZES.length} variants saved`).waitFor();
}

async function addPromotion(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Back office' }).getByRole('link', { name: 'Marketing' }).click();
  await page.getByRole('link', { name: 'Create promotion' }).first().click();
  await isOn(page, 'Create promotion');
  await page.getByLabel('Code', { exact: true }).fill('SPRING');
  await page.getByLabel('Discount in percent').fill('10');
  await page.getByRole('button', { name: 'Create promotion' }).click();
  await isOn(page, 'SPRING');
  // A message that appears while the page is checked has no contrast yet.
  await page.getByText('Promotion created').waitFor();
}

/** A shop that charges none. Without pages: no merchant opens as many in ten seconds, and the shop limits them. */
async function saveAsItIs(page: Page, what: 'tax' | 'shipping'): Promise<void> {
  const status = await page.evaluate(
    async ({ path, key }) => {
      const headers = { authorization: `Bearer ${localStorage.getItem(key)}`, 'content-type': 'application/json' };
      const body = await (await fetch(path, { headers })).text();
      return (await fetch(path, { method: 'PUT', headers, body })).status;
    },
    { path: `/api/${what}/settings`, key: TOKEN_KEY },
  );
  assert.equal(status, 200);
}

/** Everything on the checklist but the test order and the backup, and a promotion. Calls `onStep` on the page of each step. */
export async function setUpShop(page: Page, onStep: () => Promise<void>): Promise<void> {
  await visit(page, '/admin');
  await onStep();
  await followChecklist(page, 0, 'Enter identity');
  await save(page, 'General', {
    'Name of the shop': 'Nordic Bikes',
    Address: 'Torget 1, Oslo',
    Company: 'Nordic Bikes AS',
    'Contact email': 'help@bikes.example',
  });
  await followChecklist(page, 1, 'Set up mail');
  await save(page, 'Mail', { 'Sender name': 'Kari of Nordic Bikes', 'Support email': 'staff@bikes.example' });
  await followChecklist(page, 2, 'Write texts');
  await publishTexts(page);
  await onStep();
  await saveAsItIs(page, 'tax');
  await saveAsItIs(page, 'shipping');
  await followChecklist(page, 5, 'Add category');
  await addCategory(page);
  await onStep();
  await followChecklist(page, 6, 'Add product');
  await addProduct(page);
  await getMain(page).getByText('6 variants are sold out.', { exact: false }).waitFor();
  await onStep();
  await followChecklist(page, 7, 'Set stock');
  await setStock(page);
  await onStep();
  await addPromotion(page);
  await onStep();
  await followChecklist(page, 8, 'Place an order');
}

/** Pages on which staff edit the catalogue. */
import type { Page } from '@playwright/test';
import { signIn } from '../buyer.ts';
import { CatalogueEditor } from '../catalogue-editor.ts';
import { uploadCsv, waitForState } from '../imports/upload.ts';
import { textAt } from '../read-json.ts';
import type { TestShop } from '../shop.ts';
import { getStaffToken } from '../staff-fixtures.ts';
import type { PageFixture } from './page-fixture.ts';

const signInAsStaff = (shop: TestShop, page: Page): Promise<void> => signIn(shop, page, 'staff', 'crypto-market');

/** A product with the longest name, 12 variants and unpublished changes. */
async function createLongProduct(shop: TestShop, page: Page): Promise<string> {
  const editor = await CatalogueEditor.open(shop);
  const content = await editor.createContent();
  const values = await editor.addProperties(content.category_id, [4, 3]);
  const long = {
    ...content,
    name: 'a-name-that-goes-on-and-on-'.repeat(5).slice(0, 120),
    specifications: [{ name: 'x'.repeat(80), value: 'y'.repeat(500) }],
    values: values.flat().map((id) => ({ id, increase_usd: 199.5, pictures: [] })),
  };
  const { id, version } = await editor.publish(long);
  await editor.save(id, { version, publish: false, content: { ...long, sub_description: 'Changed' } });
  await signInAsStaff(shop, page);
  return id;
}

/** Checks a file with errors, notices and changes, and a long name. */
async function checkImport(shop: TestShop, page: Page): Promise<string> {
  const token = await getStaffToken(shop);
  const long = 'A product with a name that goes on and on '.repeat(5);
  const broken = `long-name,${long},Acme,Stands,nothing,https://elsewhere.example/${'x'.repeat(80)}.jpg\n`;
  const file = `Handle,Title,Vendor,Type,Variant Price,Image Src\nlamp,${long},Acme,Lamps,5,\n${broken}`;
  const { body } = await uploadCsv(shop, token, file, `products-${'of-spring-'.repeat(12)}.csv`);
  const id = textAt(body, 'id');
  await waitForState(shop, token, id, 'checked');
  await signInAsStaff(shop, page);
  return `/admin/import/${id}`;
}

export const CATALOGUE_PAGE_FIXTURES: readonly PageFixture[] = [
  {
    name: 'admin products',
    route: '/admin/products',
    path: '/admin/products?state=changed',
    prepare: async (shop, page) => void (await createLongProduct(shop, page)),
    heading: /^Products/,
  },
  {
    name: 'admin new product',
    route: '/admin/products/new',
    path: '/admin/products/new',
    prepare: signInAsStaff,
    heading: 'New product',
  },
  {
    name: 'admin product',
    route: '/admin/products/:id',
    path: '',
    prepare: async (shop, page) => `/admin/products/${await createLongProduct(shop, page)}`,
    heading: /^a-name-that/,
  },
  {
    name: 'admin preview',
    route: '/admin/products/:id/preview',
    path: '',
    prepare: async (shop, page) => `/admin/products/${await createLongProduct(shop, page)}/preview`,
    heading: /^a-name-that/,
  },
  {
    name: 'admin categories',
    route: '/admin/categories',
    path: '/admin/categories',
    prepare: signInAsStaff,
    heading: 'Categories',
  },
  { name: 'admin brands', route: '/admin/brands', path: '/admin/brands', prepare: signInAsStaff, heading: 'Brands' },
  {
    name: 'admin import',
    route: '/admin/import',
    path: '/admin/import',
    prepare: async (shop, page) => void (await checkImport(shop, page)),
    heading: 'Import products',
  },
  {
    name: 'admin import with problems and changes',
    route: '/admin/import/:id',
    path: '',
    prepare: checkImport,
    heading: /^products-/,
  },
];

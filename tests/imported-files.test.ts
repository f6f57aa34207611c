/** Files as other shops and spreadsheets write them: what is imported of each, what is left out, and which notices. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { checkCsv, logIn } from './support/imports/upload.ts';
import { listAt, numberAt, textAt, valueAt } from './support/read-json.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

const FILES = new URL('support/imports/files/', import.meta.url);
/** Notices that most of these files have. */
const COMMON = /^(?:The shop has no use for|A new product without a picture)/;

interface Expected {
  readonly state?: 'refused';
  /** Fields of the products that the file imports, by slug. */
  readonly imported: Readonly<Record<string, readonly string[]>>;
  /** Errors. */
  readonly leftOut?: readonly string[];
  readonly notices?: readonly string[];
}

const describeUrl = (line: number, handle: string, slug: string): string =>
  `${line} Handle: “${handle}” is not a valid URL: it becomes “${slug}”`;
const SOLD_OUT = 'Variant Inventory Policy: What is sold out can’t be ordered here';
const SHORTENED = '“4.00638E+12” is a number that a spreadsheet has shortened: it is left out';

/** What becomes of each file. */
const EXPECTED: Readonly<Record<string, Expected>> = {
  'all-products-with-errors': {
    state: 'refused',
    imported: {},
    leftOut: [
      '2 Variant Price: The price must be more than 0',
      '3 Status: “sold” is none of active, draft and archived',
    ],
  },
  'decimal-grams': {
    imported: { pound: ['Weight: 454 g'], 'half-pound': ['Weight: 227 g'], 'no-weight': ['Weight: unknown'] },
  },
  'delimiter-line': { imported: { tray: ['Price: 24.50'] } },
  'duplicate-sku': {
    imported: { 'tall-jug': ['SKU: JUG'] },
    leftOut: ['3 Variant SKU: The product of line 2 has the same SKU “JUG”'],
  },
  entities: { imported: { entities: ['Description: Café & crème brûlée ¾ → €5 ♥ Ž'] } },
  'gift-card': {
    imported: { voucher: ['Published: no', 'Stock: not tracked'] },
    notices: [
      `2 ${SOLD_OUT}`,
      '2 Gift Card: Gift cards can’t be sold here: it is imported as a draft',
      `3 ${SOLD_OUT}`,
    ],
  },
  'handles-of-other-scripts': {
    imported: { 'glinyanaya-kruzhka': [], 'kwb-tyn': [], product: [], koypa: [], amphora: [] },
    notices: [
      describeUrl(2, 'глиняная-кружка', 'glinyanaya-kruzhka'),
      describeUrl(3, 'كوب-طين', 'kwb-tyn'),
      describeUrl(4, '湯飲み', 'product'),
      describeUrl(5, 'κούπα', 'koypa'),
      describeUrl(6, '🏺', 'amphora'),
    ],
  },
  'handles-that-collide': {
    imported: {
      'miska-20': ['Title: Миска 20'],
      'tarelka-20': ['Title: Тарелка 20'],
      'soup-bowl-2': ['Title: Soup bowl'],
      'soup-bowl': ['Title: Soup bowl, large'],
      'soup-bowl-3': ['Title: Soup bowl, small'],
    },
    notices: [
      describeUrl(2, 'миска-20', 'miska-20'),
      describeUrl(3, 'тарелка-20', 'tarelka-20'),
      describeUrl(4, 'soup bowl', 'soup-bowl-2'),
      describeUrl(6, 'soup_bowl', 'soup-bowl-3'),
    ],
  },
  'latin-letters': {
    imported: { 'zolty-dzbanek': [], 'igdir-comlegi': [], smorkrukke: [], 'weisse-schussel': [], thvottaskal: [] },
    notices: [
      describeUrl(2, 'żółty-dzbanek', 'zolty-dzbanek'),
      describeUrl(3, 'ığdır-çömleği', 'igdir-comlegi'),
      describeUrl(4, 'smørkrukke', 'smorkrukke'),
      describeUrl(5, 'weiße-schüssel', 'weisse-schussel'),
      describeUrl(6, 'þvottaskál', 'thvottaskal'),
    ],
  },
  'localised-booleans': {
    imported: {
      'mug-de': ['Published: yes'],
      'mug-fr': ['Published: yes'],
      'mug-fr-2': ['Published: no'],
      'mug-it': ['Published: yes'],
      'mug-tr': ['Published: no'],
      'mug-fr-3': ['Published: yes'],
    },
    leftOut: ['8 Published: “perhaps” is neither TRUE nor FALSE'],
  },
  'long-sku': {
    imported: { 'long-sku': ['SKU: KILN-2024-STONEWARE-SPECKLED-ASH-GLAZE-SERVING-BOWL-LARGE-NR-0000000001-A'] },
    leftOut: ['3 Variant SKU: The text has 256 characters. At most 255 are allowed'],
  },
  'long-title': {
    imported: { 'long-title': [] },
    leftOut: ['3 Title: The text has 256 characters. At most 255 are allowed'],
  },
  'mistyped-category': {
    imported: { pot: [] },
    leftOut: ['2 Type: There is no category “Acessories”, but “Accessories”. Correct it, or create the category first'],
  },
  'newer-template': { imported: { millstone: ['Weight: 18500 g', 'Stock: 2', 'SKU: MILL-1'] } },
  'no-break-spaces': { imported: { wheel: ['Price: 2450.90'], stool: ['Price: 1050.00'] } },
  'no-handle-column': { imported: { 'clay-whistle': ['Stock: 9'], 'clay-marble': ['Stock: 90'] } },
  'no-product-columns': {
    state: 'refused',
    imported: {},
    leftOut: [
      '1 Title: The first line has neither a column Title nor a column Handle. Use a product CSV with its columns',
    ],
  },
  'no-quantity-column': {
    imported: { 'wide-vase': ['Stock: not tracked'] },
    notices: ['2 Variant Inventory Qty: The file has no quantity, so the stock is not tracked'],
  },
  'open-quote': {
    state: 'refused',
    imported: {},
    leftOut: ['2 -: A cell starts with a quotation mark and has none at its end'],
  },
  'padded-cells': { imported: { padded: ['Title: Padded cells', 'Price: 12.00', 'Stock: 4'] } },
  'picture-with-blank': {
    imported: { 'blank-picture': ['Pictures: https://pictures.invalid/shop/Blue%20Bowl%202.jpg'] },
  },
  'picture-without-scheme': {
    imported: { 'schemeless-picture': ['Pictures: https://pictures.invalid/shop/bowl.jpg?v=7'] },
  },
  'price-with-symbol': { imported: { kiln: ['Price: 1850.00'] } },
  'shortened-numbers': {
    imported: { shortened: ['SKU: shortened', 'GTIN: none'] },
    notices: [`2 Variant SKU: ${SHORTENED}`, `2 Variant Barcode: ${SHORTENED}`],
  },
  'some-products-with-errors': {
    imported: { 'good-bowl': [] },
    leftOut: [
      '2 Variant Price: “free” is not a price such as 1299.00',
      '4 Image Src: “bowl.jpg” is not the address of a picture',
      '5 Title: A new product needs a title',
    ],
  },
};

let shop: TestShop;
let staff: string;
before(async () => {
  shop = await startTestShop();
  staff = await logIn(shop, 'staff');
});
after(() => shop.stop());

async function listProblems(id: string, severity: 'error' | 'notice'): Promise<readonly string[]> {
  const { body } = await shop.api('GET', `/imports/${id}/problems?severity=${severity}`, { token: staff });
  return listAt(body, 'problems')
    .filter((problem) => !COMMON.test(textAt(problem, 'message')))
    .map((problem) => {
      const column = valueAt(problem, 'column');
      return `${numberAt(problem, 'line')} ${typeof column === 'string' ? column : '-'}: ${textAt(problem, 'message')}`;
    });
}

async function readProducts(id: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const { body } = await shop.api('GET', `/imports/${id}/changes`, { token: staff });
  return new Map(
    listAt(body, 'products').map((product) => [
      textAt(product, 'slug'),
      listAt(product, 'changes').map((change) => `${textAt(change, 'field')}: ${textAt(change, 'after')}`),
    ]),
  );
}

test('[OPS-31] every file has an expected outcome', () => {
  const names = readdirSync(FILES).map((name) => name.replace(/\.csv$/, ''));
  assert.deepEqual(names.toSorted(), Object.keys(EXPECTED).toSorted());
});

for (const [name, { state = 'checked', imported, leftOut = [], notices = [] }] of Object.entries(EXPECTED)) {
  test(`[OPS-31] imports what can be understood of ${name}`, async () => {
    const checked = await checkCsv(shop, staff, readFileSync(new URL(`${name}.csv`, FILES)));
    assert.deepEqual(await listProblems(checked.id, 'error'), leftOut);
    assert.deepEqual(await listProblems(checked.id, 'notice'), notices);
    assert.equal(checked.state, state);
    const products = await readProducts(checked.id);
    assert.deepEqual([...products.keys()], Object.keys(imported));
    for (const [slug, fields] of Object.entries(imported)) {
      for (const field of fields) assert.ok(products.get(slug)?.includes(field), `${slug}: ${field}`);
    }
    const created = numberAt(checked.found, 'created_products');
    assert.equal(created, Object.keys(imported).length);
    const isFileRefused = created === 0 && numberAt(checked.found, 'lines') === 0;
    assert.equal(numberAt(checked.found, 'left_out_products'), isFileRefused ? 0 : leftOut.length);
  });
}

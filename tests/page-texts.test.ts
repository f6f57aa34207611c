/** The texts and links of public pages, as the server renders them. Journeys test what happens when they are used. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import './support/built-pages.ts';
import { listAt, numberAt, textAt } from './support/read-json.ts';
import { readPage } from './support/read-page.ts';
import type { ReadPage } from './support/read-page.ts';
import { startTestShop } from './support/shop.ts';
import type { TestShop } from './support/shop.ts';

let shop: TestShop;
let home: ReadPage;
let product: ReadPage;
before(async () => {
  shop = await startTestShop();
  home = await readPage(`${shop.url}/`);
  product = await readPage(`${shop.url}/catalog/product/iphone-17-pro`);
});
after(() => shop.stop());

const assertLink = ({ links }: ReadPage, path: string, text: string | RegExp): void => {
  const found = links.get(path) ?? [];
  const isThere = found.some((one) => (typeof text === 'string' ? one === text : text.test(one)));
  assert.ok(isThere, `${path}: ${found.join(', ')} instead of ${String(text)}`);
};

test('[LAY-01] [LAY-02] [LAY-03] [LAY-04] [LAY-05] [LAY-06] the header has address, links and search', () => {
  home.assertTexts('45 Elm Street, Kensington, London, UK', 'Delivery today in 24 hours', 'Crypto Market', 'Catalog');
  for (const [path, text] of [
    ['/', 'Crypto Market'],
    ['/catalog', 'Catalog'],
    ['/cart', /^Cart/],
    ['/dashboard', 'Profile'],
    ['/login', 'Login'],
  ] as const)
    assertLink(home, path, text);
  assert.match(home.html, /<form action="\/search-results"[^>]*><[^>]*placeholder="Search in Crypto Market"/);
});

test('[LAY-07] [LAY-08] [LAY-09] every page links to pages of help, categories and legal texts', async () => {
  const categories = listAt((await shop.api('GET', '/categories')).body);
  for (const page of [home, product]) {
    for (const category of categories)
      assertLink(page, `/catalog/category/${textAt(category, 'slug')}`, textAt(category, 'name'));
    for (const [path, text] of [
      ['/', 'Home'],
      ['/free-shipping', 'Free shipping'],
      ['/how-to-buy', 'How to buy'],
      ['/contact', 'Contact'],
      ['/terms', 'Terms'],
      ['/privacy', 'Privacy'],
      ['/returns', 'Returns'],
    ] as const)
      assertLink(page, path, text);
    page.assertTexts('Crypto Market is not affiliated with Apple Inc.', 'Home', 'Catalog', 'Cart', 'Login');
  }
});

test('[LAY-12] an unknown path leads back to the catalogue', async () => {
  const page = await readPage(`${shop.url}/no-such-page`);
  assert.equal(page.status, 404);
  assertLink(page, '/catalog', /./);
});

test('[LAY-12] [OPS-27] an address that no link contains is not found', async () => {
  for (const path of ['/withdrawal/%00', '/withdrawal/a%00b', '/withdrawal/receipt/%00', '/pay/%00', '/terms/%00'])
    assert.equal((await readPage(`${shop.url}${path}`)).status, 404, path);
});

test('[HOME-01] [HOME-02] [HOME-03] [HOME-04] [CARD-02] the home page begins with hero and rows', async () => {
  home.assertTexts(
    'Apple Intelligence available now',
    'Buy out gadgets with cryptocurrency',
    'From 0.009 BTC or $999',
    'Shop now',
    'Apple Products',
    'View all',
    'Buy new Iphone',
    'View all',
    'Buy new Macbook',
    'View all',
    'Buy new iPad',
    'View all',
  );
  const first = listAt((await shop.api('GET', '/products?limit=4')).body);
  const row = home.html.slice(home.html.indexOf('Apple Products'), home.html.indexOf('Buy new Iphone'));
  assert.equal(row.match(/<article/g)?.length, 4);
  for (const one of first) assert.ok(row.includes(`href="/catalog/product/${textAt(one, 'slug')}"`));
});

test('[HOME-01] picture, text and link of the hero are of one product', async () => {
  const hero = home.html.slice(home.html.indexOf('hero-title'), home.html.indexOf('Apple Products'));
  const [, slug = ''] = /href="\/catalog\/product\/([^"]+)"/.exec(hero) ?? assert.fail('no link');
  const { body } = await shop.api('GET', `/products/${slug}`);
  assert.match(hero, new RegExp(`<img[^>]*alt="[^"]*\\b${textAt(body, 'name')}\\b`));
  assert.ok(hero.includes(`or $${numberAt(body, 'base_price_in_usd')}<`));
  // The scene that is rendered.
  const scene = readFileSync(join(import.meta.dirname, '../art/brand.py'), 'utf8').split('def build_hero')[1] ?? '';
  assert.equal(/_phone\(root, '([^']+)'/.exec(scene)?.[1], slug);
});

test('[HOME-05] [HOME-06] [HOME-07] [HOME-08] [HOME-09] the texts of the home page', async () => {
  home.assertTexts(
    'Buy out gadgets with Bitcoin on Apple Tech Today!',
    'Get the latest iPhones, MacBooks, and more with seamless cryptocurrency payments. Fast, secure, and hassle-free!',
    'Discover more',
    'Bitcoin',
    'BTC',
  );
  home.assertTexts(
    'Advantages',
    'Discover the benefits of shopping for Apple devices with us',
    'Secure Payments',
    'Enjoy safe and reliable cryptocurrency transactions',
    'Fast Delivery',
    'Get your order quickly, no matter where you are',
    'Fast Delivery',
    'Delivery today in 24 hours',
    'We value collaboration and aim to build long-term relationships with trusted partners',
    'Opportunities to expand your reach in the Apple technology market',
    'Frequently Asked Questions',
    ...listAt((await shop.api('GET', '/faq')).body).map((item) => textAt(item, 'question')),
    "Reviews user's",
  );
  assertLink(home, '/promo', 'Discover more');
  for (let partner = 1; partner <= 10; partner += 1)
    assert.ok(home.html.includes(`partner-${partner}.`), String(partner));
  for (const review of listAt((await shop.api('GET', '/reviews/shop')).body))
    assert.ok(home.texts.includes(textAt(review, 'text')));
});

test('[CAT-01] [CAT-02] [CAT-03] catalogue and categories group products and offer filters', async () => {
  const catalogue = await readPage(`${shop.url}/catalog`);
  catalogue.assertTexts(
    'Explore our catalog of Different Devices',
    'Show Filters',
    'Price',
    'Brands',
    'Memory Capacity',
  );
  for (const category of listAt((await shop.api('GET', '/categories')).body))
    assertLink(catalogue, `/catalog/category/${textAt(category, 'slug')}`, 'View all');
  const category = await readPage(`${shop.url}/catalog/category/iphone`);
  category.assertTexts('Back to catalog', 'Iphone', 'Show Filters', 'Price', 'Memory Capacity', 'Color');
  assertLink(category, '/catalog', 'Back to catalog');
  const unknown = await readPage(`${shop.url}/catalog/category/no-such-category`);
  assert.equal(unknown.status, 404);
  unknown.assertTexts('Category not found.');
  (await readPage(`${shop.url}/catalog/category/iphone?price_min=8000`)).assertTexts('No products found');
});

test('[PROD-01] [PROD-03] [PROD-04] [PROD-05] [PROD-06] [PROD-07] a product page has its parts in order', async () => {
  product.assertTexts(
    'Catalog',
    'iPhone',
    'iPhone 17 Pro',
    'Memory Capacity',
    '256GB',
    'Color',
    '0.009901 BTC',
    '$1,099.00',
    'Add to Cart',
    'About iPhone 17 Pro',
    'Specifications',
    'Article number',
    'Reviews',
    'Check out other iPhone',
    'View all',
  );
  const moved = await fetch(`${shop.url}/product/iphone-17-pro`, { redirect: 'manual' });
  assert.deepEqual([moved.status, moved.headers.get('location')], [301, '/catalog/product/iphone-17-pro']);
});

test('[PROD-15] [PROD-16] [PROD-17] a product page has ratings, promises and similar products', () => {
  product.assertTexts(
    '4.6',
    '5 reviews',
    'Add to Cart',
    'In stock',
    'Delivery times',
    'Free worldwide shipping',
    'The manufacturer’s warranty',
    'Return it within 14 days, with a free label',
    'Compare with similar products',
    'Compare all details',
    'This product',
    '5 stars',
    '1 star',
  );
  assertLink(product, '/returns', 'Return it within 14 days, with a free label');
  // The date depends on the visitor, and the page is the same for all.
  assert.ok(!product.texts.join(' ').includes('Arrives'));
});

test('[HOME-10] the home page has a tile for each category between its first row and the banner', async () => {
  const categories = listAt((await shop.api('GET', '/categories')).body).map((category) => textAt(category, 'slug'));
  const [start, end] = ['Shop by category', 'Discover more'].map((text) => home.html.indexOf(text));
  const tiles = home.html.slice(start, end).matchAll(/href="\/catalog\/category\/([^"]+)"/g);
  assert.deepEqual(
    [...tiles].map(([, slug]) => slug),
    categories,
  );
  const order = ['Apple Products', 'Shop by category', 'Discover more', 'Buy new Iphone'];
  const positions = order.map((text) => home.html.indexOf(text));
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  );
});

test('[PAGE-01] [PAGE-02] [PAGE-03] [PAGE-05] pages of help and law have their texts', async () => {
  const shipping = await readPage(`${shop.url}/free-shipping`);
  shipping.assertTexts(
    'Free shipping',
    'Global coverage',
    'Secure packaging',
    'How long does delivery take?',
    'Go to home',
  );
  assert.match(shipping.texts.join(' '), /Orders are processed and shipped with in 1–2 business days/);
  const contact = await readPage(`${shop.url}/contact`);
  contact.assertTexts('Contact Us', 'First Name', 'Last Name', 'Email', 'Comment or Message', 'Send Message');
  const guide = await readPage(`${shop.url}/how-to-buy`);
  guide.assertTexts('How to buy with bitcoin', '1. Get a wallet', '4. Scan and send', '6. Wait for the confirmation');
  for (const path of ['/terms', '/privacy', '/returns'])
    assert.equal((await readPage(shop.url + path)).status, 200, path);
});

test('[ACC-01] [ACC-04] [ACC-06] forms of an account have their fields and links', async () => {
  const registration = await readPage(`${shop.url}/registration`);
  registration.assertTexts('Register account', 'Username', 'Password', 'Register');
  assertLink(registration, '/terms', /terms/i);
  const login = await readPage(`${shop.url}/login`);
  assertLink(login, '/lost-password', 'Lost password');
  assertLink(login, '/registration', /./);
});

test('[SRCH-02] [SRCH-03] search results quote the query, and say when nothing is found', async () => {
  (await readPage(`${shop.url}/search-results?query=macbook`)).assertTexts(
    'Search Results',
    'Price',
    'Brands',
    'View all',
  );
  const none = await readPage(`${shop.url}/search-results?query=zzzzzzzz`);
  assert.match(none.texts.join(' '), /No products found for "zzzzzzzz"/);
});

test('[LAY-18] no field of a public page drops what is typed', async () => {
  for (const path of ['/', '/catalog', '/contact', '/cart', '/login', '/registration', '/lost-password']) {
    const html = await (await fetch(`${shop.url}${path}`)).text();
    assert.match(html, /<input/, path);
    assert.doesNotMatch(html, /\smaxlength=/i, path);
  }
  const long = await fetch(`${shop.url}/search-results?query=${'iphone '.repeat(60)}`);
  assert.equal(long.status, 200);
});

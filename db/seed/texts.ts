/** The texts of the demo shop: home page, delivery, and legal texts as version 1. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sql } from 'kysely';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { STANDARD_ACCESSIBILITY } from '#src/shop/content/legal/standard-accessibility.ts';
import { regionNames } from '#src/shop/regions.ts';

const LONDON_PROMISE = 'Delivery today in 24 hours';
const PUBLISHED_AT = new Date('2026-11-22T00:00:00Z');

const search = {
  title: 'Crypto Market: buy Apple devices with Bitcoin',
  description: 'iPhone, Mac and iPad, paid in Bitcoin.',
};

const hero = {
  headline: 'Buy out gadgets with cryptocurrency',
  subtitle: 'From {from_btc} or {from_usd}',
  line: 'Apple Intelligence available now',
  buttons: [
    { text: 'Shop now', to: '/catalog' },
    { text: 'Catalog', to: '/catalog' },
  ],
  picture: { path: '/images/hero.avif', alt: 'A laptop, an iPhone Air and a gold bitcoin', widths: [640, 1024, 1600] },
  // What the picture shows, and whose price the subtitle has: same as in art/brand.py.
  product: 'iphone-air',
};

const advantages = {
  title: 'Advantages',
  subtitle: 'Discover the benefits of shopping for Apple devices with us',
  cards: [
    {
      title: 'Secure Payments',
      text: 'Enjoy safe and reliable cryptocurrency transactions',
      picture: {
        path: '/images/secure-payments.avif',
        alt: 'A phone, a gold bitcoin and a padlock',
        widths: [332, 664],
      },
      overlay_title: '',
      overlay_text: '',
    },
    {
      title: 'Fast Delivery',
      text: 'Get your order quickly, no matter where you are',
      picture: { path: '/images/fast-delivery.avif', alt: 'Two phones in an open parcel', widths: [332, 664] },
      overlay_title: 'Fast Delivery',
      overlay_text: LONDON_PROMISE,
    },
  ],
};

const banner = {
  title: 'Buy out gadgets with Bitcoin on Apple Tech Today!',
  text: 'Get the latest iPhones, MacBooks, and more with seamless cryptocurrency payments. Fast, secure, and hassle-free!',
  button: { text: 'Discover more', to: '/promo' },
};

const PARTNERS = [
  'Northvale',
  'Orbitra',
  'Lumenfold',
  'Kestrelis',
  'Quaywell',
  'Octavo Labs',
  'Parcelio',
  'Tesselane',
  'Halcyra',
  'Vantorre',
];
const partners = {
  title: 'We value collaboration and aim to build long-term relationships with trusted partners',
  text: 'Opportunities to expand your reach in the Apple technology market',
  logos: PARTNERS.map((name, index) => ({ name, picture: `/partners/partner-${index + 1}.svg` })),
};

const businessDays = (from: number, to: number) => ({ from, to, unit: 'business-days' });
const delivery = {
  lead: 'On every order, worldwide. No minimum.',
  coverage: 'We ship from London to every continent, free of charge.',
  exception: `London: ${LONDON_PROMISE.toLowerCase()}, by our own courier`,
  packaging: 'A sealed, padded box without product branding. Insured for the full price and tracked.',
  warranty: 'The manufacturer’s warranty',
  returns: 'Return it within 14 days, with a free label',
  dispatch: businessDays(1, 2),
  times: [
    {
      area: 'London',
      regions: [],
      countries: [],
      range: null,
      note: 'today in 24 hours, once your payment is confirmed',
    },
    { area: 'Rest of the United Kingdom', regions: [], countries: ['GB'], range: businessDays(1, 2), note: '' },
    { area: 'Europe', regions: ['Europe'], countries: [], range: businessDays(2, 4), note: '' },
    {
      area: 'Other continents',
      regions: regionNames.filter((name) => name !== 'Europe'),
      countries: [],
      range: businessDays(4, 8),
      note: '',
    },
  ],
};

/** HOME-02, HOME-03: titles of the rows, and a part of the names of their categories. */
const ROWS = [
  { title: 'Apple Products', part: null },
  { title: 'Buy new Iphone', part: 'iphone' },
  { title: 'Buy new Macbook', part: 'macbook' },
  { title: 'Buy new iPad', part: 'ipad' },
];
const ROW_LENGTH = 4;

const SUMMARIES = {
  terms: 'The terms that apply to your orders.',
  privacy: 'What data we store, why, and for how long.',
  returns: 'Return within 14 days with a free label. We refund in Bitcoin.',
};

async function createRows(db: Db) {
  const { rows: categories } = await sql<{ id: string; name: string }>`select id, name from categories`.execute(db);
  return {
    rows: ROWS.map(({ title, part }) => ({
      title,
      categories: categories
        .filter(({ name }) => part !== null && name.toLowerCase().includes(part))
        .map(({ id }) => id),
      count: ROW_LENGTH,
    })),
  };
}

/** Stores each section and each legal text unless there is one. Call after the catalogue is seeded. */
export async function seedTexts(db: Db, now: Date): Promise<void> {
  await transact(db, async (tx) => {
    const sections = { search, hero, rows: await createRows(tx), advantages, banner, partners, delivery };
    for (const [name, body] of Object.entries(sections)) {
      await sql`
        insert into content_sections (name, body, version, updated_at)
        values (${name}, ${JSON.stringify(body)}::jsonb, 1, ${now})
        on conflict (name) do nothing
      `.execute(tx);
    }
    const texts = Object.entries(SUMMARIES).map(([kind, summary]) => {
      const markdown = readFileSync(resolve(`db/seed/legal/${kind}.md`), 'utf8');
      return { kind, summary, markdown };
    });
    for (const { kind, summary, markdown } of [...texts, { kind: 'accessibility', ...STANDARD_ACCESSIBILITY }]) {
      await sql`
        insert into legal_versions (kind, number, summary, markdown, published_at)
        select ${kind}, 1, ${summary}, ${markdown}, ${PUBLISHED_AT}
        where not exists (select from legal_versions where kind = ${kind})
        on conflict (kind, number) do nothing
      `.execute(tx);
    }
  });
}

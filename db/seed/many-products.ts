/** Generates any number of products, the same ones each time, to test a large catalogue. */
import { sql } from 'kysely';
import { v7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createSku, listCombinations } from '#src/shop/catalogue/products/variants.ts';
import { listImages, seedCategories } from './catalogue.ts';
import { seedPriceRecords } from './price-records.ts';

const BATCH = 5_000;
const FIRST_POSITION = 1_000;
/** 2019-01-01: the first release date. Products are released over seven years. */
const EPOCH_MS = 1_546_300_800_000;
const DAY_MS = 86_400_000;
const DAYS = 2_555;

const brands = [
  'Spigen',
  'OtterBox',
  'Mophie',
  'Satechi',
  'Native Union',
  'Peak Design',
  'Moshi',
  'Incase',
  'Casetify',
  'Ugreen',
  'Baseus',
  'Hyper',
  'CalDigit',
  'Keychron',
  'Sennheiser',
  'Sonos',
  'JBL',
  'Bose',
  'Elgato',
  'Zagg',
];
export const lines = [
  'Pro',
  'Slim',
  'Rugged',
  'Essential',
  'Studio',
  'Travel',
  'Classic',
  'Ultra',
  'Air',
  'Eco',
  'Signature',
];
export const kinds = [
  'Case',
  'Leather Sleeve',
  'Screen Protector',
  'USB-C Cable',
  'Wall Charger',
  'Power Bank',
  'Stand',
  'Car Mount',
  'Keyboard',
  'Mouse',
  'Hub',
  'Backpack',
  'Stylus',
  'Speaker',
  'Earbuds',
  'Lens Kit',
  'Watch Band',
  'Dock',
];
const grades = ['like new', 'grade A', 'grade B', 'open box', 'certified'];
/** Percentage of products by category. The rest are accessories. */
const shares: readonly (readonly [string, number])[] = [
  ['iphone', 12],
  ['macbook', 9],
  ['ipad', 7],
  ['ipad-pro', 4],
  ['apple-watch', 7],
  ['airpods', 6],
  ['mac-desktops', 4],
];

/** Pseudorandom numbers, the same for the same seed. */
function createRandomNumbers(seed: number): (below: number) => number {
  let state = (seed + 1) * 0x9e37_79b9;
  return (below) => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

interface Value {
  readonly id: string;
  readonly property_id: string;
  readonly increase_cents: string;
}

interface Known {
  /** By slug. */
  readonly categories: ReadonlyMap<string, string>;
  /** By name. */
  readonly brands: ReadonlyMap<string, string>;
  /** By the category's id, property by property, the cheapest value first. */
  readonly values: ReadonlyMap<string, readonly (readonly Value[])[]>;
}

const formatSlug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');

async function readKnown(db: Db): Promise<Known> {
  await sql`
    insert into brands (id, name, slug, position)
    select id, name, slug, 1000 + ordinal from json_to_recordset(${JSON.stringify(
      brands.map((name, ordinal) => ({ id: createId(0, ordinal), name, slug: formatSlug(name), ordinal })),
    )}::json) as made (id uuid, name text, slug text, ordinal integer)
    on conflict do nothing
  `.execute(db);
  const categories = await sql<{ id: string; slug: string }>`select id, slug from categories`.execute(db);
  const named = await sql<{ id: string; name: string }>`select id, name from brands`.execute(db);
  const values = await sql<Value & { category_id: string }>`
    select property_values.id, property_id, category_id, increase_cents::text
    from property_values join properties on properties.id = property_id
    order by category_id, properties.position, increase_cents, property_values.position
  `.execute(db);
  const byCategory = Map.groupBy(values.rows, ({ category_id }) => category_id);
  return {
    categories: new Map(categories.rows.map(({ slug, id }) => [slug, id])),
    brands: new Map(named.rows.map(({ name, id }) => [name, id])),
    values: new Map(
      [...byCategory].map(([id, own]) => [id, [...Map.groupBy(own, ({ property_id }) => property_id).values()]]),
    ),
  };
}

/** Derives a stable id. */
function createId(kind: number, number: number): string {
  const next = createRandomNumbers(kind * 100_000_007 + number);
  const random = Uint8Array.from({ length: 16 }, () => next(256));
  return v7({ msecs: EPOCH_MS + number, seq: kind, random });
}

function pickCategory(share: number): string {
  let left = share;
  for (const [slug, hundredths] of shares) {
    if (left < hundredths) return slug;
    left -= hundredths;
  }
  return 'accessories';
}

function createName(slug: string, next: (below: number) => number): { readonly name: string; readonly brand: string } {
  const pick = <T>(list: readonly T[]): T => {
    const item = list[next(list.length)];
    if (item === undefined) throw new Error('the list is empty');
    return item;
  };
  const device = pick(
    (seedCategories.find((category) => category.slug === slug) ?? pick(seedCategories)).products,
  ).name;
  if (slug !== 'accessories') return { name: `${device}, ${pick(grades)}, lot ${next(9000) + 1000}`, brand: 'Apple' };
  const brand = pick(brands);
  const fitting = pick(seedCategories.slice(0, 4).flatMap(({ products }) => products)).name;
  return { name: `${brand} ${pick(lines)} ${pick(kinds)} for ${fitting}`, brand };
}

function makeProduct(number: number, known: Known) {
  const next = createRandomNumbers(number);
  const slug = pickCategory(next(100));
  const { name, brand } = createName(slug, next);
  const model = seedCategories.find((category) => category.slug === slug)?.products;
  const images = model?.[next(model.length)];
  const categoryId = known.categories.get(slug);
  const properties = known.values.get(categoryId ?? '') ?? [];
  const id = createId(1, number);
  const dollars = slug === 'accessories' ? 9 + next(190) : 149 + next(2350);
  const row = {
    id,
    name,
    slug: `${formatSlug(name)}-${number}`,
    article: `MADE-${number}`,
    category_id: categoryId,
    brand_id: known.brands.get(brand),
    base_price_cents: dollars * 100 + (next(4) === 0 ? 99 : 0),
    description: `${name} is one of many products that were made up to fill a large catalogue.\n\nIt is in stock, comes in its own box and can be sent back within 30 days.`,
    sub_description: `Made up to fill a large catalogue, No. ${number}`,
    specifications: { Condition: 'New', Warranty: '12 months', Weight: `${50 + next(1900)} g`, 'In the box': name },
    images: images ? listImages(images) : [],
    main_image: images ? listImages(images)[0] : '',
    position: FIRST_POSITION + number,
    created_at: new Date(EPOCH_MS + next(DAYS) * DAY_MS + number).toISOString(),
    // Few products have high sales, most have hardly any.
    sold_units: Math.floor(4_000 / (1 + next(4_000))),
  };
  const offered = properties.map((values) => {
    const from = next(values.length);
    return values.slice(from, from + 1 + next(4));
  });
  return {
    row,
    values: offered.flatMap((values) =>
      values.map((value) => ({ product_id: id, value_id: value.id, increase_cents: value.increase_cents })),
    ),
    variants: listCombinations(offered.map((values) => ({ values }))).map((property_value_ids, at, { length }) => ({
      id: createId(2 + at, number),
      product_id: id,
      property_value_ids,
      sku: createSku(`MADE-${number}`, at, length),
      position: at,
    })),
  };
}

const COLUMNS =
  'id, name, slug, article, category_id, brand_id, base_price_cents, description, sub_description, specifications, ' +
  'images, main_image, position, created_at';

/** Adds generated products until there are `count`. Does not change existing ones. */
export async function seedManyProducts(db: Db, count: number, progress: (total: number) => void): Promise<void> {
  const known = await readKnown(db);
  for (let from = 0; from < count; from += BATCH) {
    const made = Array.from({ length: Math.min(BATCH, count - from) }, (_, at) => makeProduct(from + at, known));
    const rows = JSON.stringify(made.map(({ row }) => row));
    const values = JSON.stringify(made.flatMap((product) => product.values));
    const variants = JSON.stringify(made.flatMap((product) => product.variants));
    await transact(db, async (trx) => {
      await sql`
        insert into products (${sql.raw(COLUMNS)})
        select ${sql.raw(COLUMNS)} from json_populate_recordset(null::products, ${rows}::json)
        on conflict do nothing
      `.execute(trx);
      await sql`
        insert into product_values (product_id, value_id, increase_cents)
        select product_id, value_id, increase_cents from json_populate_recordset(null::product_values, ${values}::json)
        where product_id in (select id from products)
        on conflict do nothing
      `.execute(trx);
      await sql`
        insert into product_variants (id, product_id, property_value_ids, sku, position)
        select id, product_id, property_value_ids, sku, position
        from json_populate_recordset(null::product_variants, ${variants}::json)
        where product_id in (select id from products)
        on conflict do nothing
      `.execute(trx);
      await sql`
        insert into product_sales (product_id, sold_units)
        select id, sold_units from json_to_recordset(${rows}::json) as made (id uuid, sold_units integer)
        where id in (select id from products)
        on conflict do nothing
      `.execute(trx);
    });
    progress(from + made.length);
  }
  await seedPriceRecords(db, new Date());
  await sql`analyze products, product_values, product_variants, product_sales`.execute(db);
}

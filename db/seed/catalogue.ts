import { sql } from 'kysely';
import { v7 } from 'uuid';
import { transact } from '#src/platform/database/database.ts';
import type { Db } from '#src/platform/database/database.ts';
import { createSku, listCombinations } from '#src/shop/catalogue/products/variants.ts';
import { accessories } from './accessories.ts';
import { audio } from './audio.ts';
import { desktop } from './desktop.ts';
import { listContents } from './boxes.ts';
import { listChapters } from './chapters.ts';
import { createDemoLabel, seedSafety } from './duties.ts';
import { ipad, ipadPro } from './ipad.ts';
import { iphone } from './iphone.ts';
import { macbook } from './macbook.ts';
import { listAlts } from './picture-alts.ts';
import { seedPriceRecords } from './price-records.ts';
import type { SeedCategory, SeedProduct } from './seed-category.ts';
import { watch } from './watch.ts';

export const seedCategories: readonly SeedCategory[] = [
  iphone,
  macbook,
  ipad,
  ipadPro,
  watch,
  audio,
  desktop,
  accessories,
];

/** The first products of the shop, one of each family. The others follow by category. */
const frontOfShop = ['iphone-air', 'macbook-air-13-m4', 'ipad-air-11-m3', 'airpods-pro-3'];

export const seedBrands = ['Apple', 'Beats', 'Belkin', 'Logitech', 'Twelve South', 'Nomad', 'Anker'] as const;

/** Paths of a product's pictures, the main one first. Smaller widths are stored beside each. */
export const listImages = ({ slug, views }: SeedProduct): string[] =>
  views.map((view) => `/images/products/${slug}/${view}.avif`);

/** Paths of the pictures of a product's further colours, by colour. */
export function listColorImages({ slug, offers, viewsInColor = [] }: SeedProduct) {
  const colors = offers['Color']?.slice(1) ?? [];
  const formatPath = (color: string, view: string): string =>
    `/images/products/${slug}/${formatSlug(color)}/${view}.avif`;
  return Object.fromEntries(colors.map((color) => [color, viewsInColor.map((view) => formatPath(color, view))]));
}

const formatSlug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');
const toCents = (dollars: number): number => Math.round(dollars * 100);

interface Placed {
  readonly category: SeedCategory;
  readonly product: SeedProduct;
}

/** Every product with its category, in the order of the shop. */
export function seedProducts(): readonly Placed[] {
  const all = seedCategories.flatMap((category) => category.products.map((product) => ({ category, product })));
  const isInFront = ({ product }: Placed): boolean => frontOfShop.includes(product.slug);
  const front = frontOfShop.flatMap((slug) => all.filter(({ product }) => product.slug === slug));
  return [...front, ...all.filter((placed) => !isInFront(placed))];
}

/** Creates ascending ids. */
function createIdSequence(now: Date): () => string {
  let seq = 0;
  return () => v7({ msecs: now.getTime(), seq: seq++ });
}

/** Inserts rows with the same columns as JSON, so that one statement can insert any number. */
async function insertRows(db: Db, table: string, columns: string, rows: readonly object[]): Promise<void> {
  await sql`
    insert into ${sql.table(table)} (${sql.raw(columns)})
    select ${sql.raw(columns)} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
  `.execute(db);
}

const buildBrands = (nextId: () => string) =>
  seedBrands.map((name, position) => {
    const slug = formatSlug(name);
    return { id: nextId(), name, slug, safety: seedSafety[slug] ?? null, position };
  });

interface Placement {
  readonly categoryId: string | undefined;
  readonly brandId: string | undefined;
  readonly position: number;
  readonly isDemo: boolean;
}

function buildProduct({ category, product }: Placed, { brandId, categoryId, isDemo, position }: Placement) {
  const images = listImages(product);
  const colorImages = listColorImages(product);
  return {
    name: product.name,
    slug: product.slug,
    article: product.article,
    category_id: categoryId,
    brand_id: brandId,
    base_price_cents: toCents(product.price),
    description: product.about.join('\n\n'),
    sub_description: product.summary,
    in_the_box: listContents(category.slug, product.name),
    chapters: listChapters(product.slug, images),
    specifications: product.specifications,
    images,
    main_image: images[0],
    picture_alts: listAlts(product, images, colorImages),
    position,
    is_published: true,
    energy_label: isDemo ? createDemoLabel(category.slug, position) : null,
    created_at: `${product.released}T09:00:00Z`,
    sold_units: product.sold,
    offers: product.offers,
    colorImages,
  };
}

function buildRows(nextId: () => string, isDemo: boolean) {
  const brands = buildBrands(nextId);
  const categories = seedCategories.map(({ name, slug }, position) => ({ id: nextId(), name, slug, position }));
  const categoryIds = new Map(categories.map(({ slug, id }) => [slug, id]));
  const properties = seedCategories.flatMap((category) =>
    Object.entries(category.properties).map(([name, values], position) => ({
      id: nextId(),
      category_id: categoryIds.get(category.slug),
      name,
      position,
      values,
    })),
  );
  const values = properties.flatMap((property) =>
    Object.entries(property.values).map(([value, dollars], position) => ({
      id: nextId(),
      property_id: property.id,
      value,
      increase_cents: toCents(dollars),
      position,
    })),
  );
  const products = seedProducts().map((placed, position) => {
    const { category, product } = placed;
    const brandId = brands.find(({ name }) => name === (product.brand ?? 'Apple'))?.id;
    const categoryId = categoryIds.get(category.slug);
    return { id: nextId(), ...buildProduct(placed, { brandId, categoryId, isDemo, position }) };
  });
  const offers = products.flatMap((product) =>
    Object.entries(product.offers).flatMap(([name, offered]) => {
      const property = properties.find(
        (candidate) => candidate.category_id === product.category_id && candidate.name === name,
      );
      return offered.map((value) => {
        const found = values.find((candidate) => candidate.property_id === property?.id && candidate.value === value);
        return {
          product_id: product.id,
          value_id: found?.id ?? '',
          property_id: property?.id,
          images: product.colorImages[value] ?? [],
          increase_cents: found?.increase_cents,
        };
      });
    }),
  );
  const variants = products.flatMap(({ id, article }) => {
    const own = offers.filter(({ product_id }) => product_id === id);
    const offered = [...Map.groupBy(own, ({ property_id }) => property_id).values()].map((group) => ({
      values: group.map(({ value_id }) => ({ id: value_id })),
    }));
    return listCombinations(offered).map((property_value_ids, position, { length }) => ({
      id: nextId(),
      product_id: id,
      property_value_ids,
      sku: createSku(article, position, length),
      images: [],
      is_published: true,
      position,
    }));
  });
  return { brands, categories, properties, values, products, offers, variants };
}

/** How long the demo shop has offered its products, so that a sale price shows a reduction at once. */
const DEMO_OFFER_MS = 90 * 24 * 60 * 60 * 1000;

interface SeedOptions {
  /** Whether to insert invented sales figures, which sort products by popularity. False for a live shop. */
  readonly hasDemoSales?: boolean;
}

/** Inserts the demo catalogue unless there are products. */
export async function seedCatalogue(db: Db, now: Date, { hasDemoSales = true }: SeedOptions = {}): Promise<void> {
  await transact(db, async (trx) => {
    // Serializes parallel starts: the second one finds the products of the first.
    await sql`lock table products in share row exclusive mode`.execute(trx);
    const found = await sql<{ found: boolean }>`select exists (select from products) as found`.execute(trx);
    if (found.rows[0]?.found) return;
    const { brands, categories, properties, values, products, offers, variants } = buildRows(
      createIdSequence(now),
      hasDemoSales,
    );
    await insertRows(trx, 'brands', 'id, name, slug, safety, position', brands);
    await insertRows(trx, 'categories', 'id, name, slug, position', categories);
    await insertRows(trx, 'properties', 'id, category_id, name, position', properties);
    await insertRows(trx, 'property_values', 'id, property_id, value, increase_cents, position', values);
    await insertRows(
      trx,
      'products',
      'id, name, slug, article, category_id, brand_id, base_price_cents, description, sub_description, in_the_box, ' +
        'chapters, specifications, images, main_image, picture_alts, position, is_published, energy_label, ' +
        'created_at',
      products,
    );
    await insertRows(trx, 'product_values', 'product_id, value_id, images, increase_cents', offers);
    const columns = 'id, product_id, property_value_ids, sku, images, is_published, position';
    await insertRows(trx, 'product_variants', columns, variants);
    await seedPriceRecords(trx, hasDemoSales ? new Date(now.getTime() - DEMO_OFFER_MS) : now);
    if (!hasDemoSales) return;
    const sales = products.map(({ id, sold_units }) => ({ product_id: id, sold_units }));
    await insertRows(trx, 'product_sales', 'product_id, sold_units', sales);
  });
}

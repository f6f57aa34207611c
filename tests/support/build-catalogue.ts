import { buildCatalogueData } from '#src/shop/catalogue/build-catalogue-data.ts';
import type { CatalogueData } from '#src/shop/catalogue/build-catalogue-data.ts';
import { cents } from '#src/shop/money.ts';

export interface ProductSketch {
  readonly name: string;
  /** Default: one dollar. */
  readonly cents?: bigint;
  readonly category?: string;
  readonly brand?: string;
  readonly sold?: number;
  readonly createdAt?: Date;
  /** Property to value to increase in cents; the same in every product of a category. */
  readonly offers?: Readonly<Record<string, Readonly<Record<string, bigint>>>>;
}

/**
 * Builds a small catalogue. Ids and slugs are names in lower case; a value's id is
 * `category/property/value`.
 */
export function buildCatalogue(sketches: readonly ProductSketch[]): CatalogueData {
  const categoryOf = (sketch: ProductSketch): string => sketch.category ?? 'Phones';
  const brandOf = (sketch: ProductSketch): string => sketch.brand ?? 'Apple';
  const offered = sketches.flatMap((sketch) =>
    Object.entries(sketch.offers ?? {}).flatMap(([property, values]) =>
      Object.entries(values).map(([value, increase]) => ({
        categoryId: slug(categoryOf(sketch)),
        property,
        value,
        increase,
      })),
    ),
  );
  const properties = new Map(
    offered.map(({ categoryId, property }) => [
      `${categoryId}/${property}`,
      { id: `${categoryId}/${property}`, categoryId, name: property },
    ]),
  );
  const values = new Map(
    offered.map(({ categoryId, property, value, increase }) => {
      const id = `${categoryId}/${property}/${value}`;
      return [id, { id, propertyId: `${categoryId}/${property}`, value, increaseCents: cents(increase) }];
    }),
  );
  return buildCatalogueData({
    brands: named(sketches.map(brandOf)),
    categories: named(sketches.map(categoryOf)),
    properties: [...properties.values()],
    values: [...values.values()],
    products: sketches.map((sketch) => ({
      id: slug(sketch.name),
      name: sketch.name,
      slug: slug(sketch.name),
      article: `A-${slug(sketch.name)}`,
      brandId: slug(brandOf(sketch)),
      categoryId: slug(categoryOf(sketch)),
      basePriceCents: cents(sketch.cents ?? 100n),
      soldUnits: sketch.sold ?? 0,
      description: 'About it',
      subDescription: 'In short',
      specifications: {},
      images: ['/images/a.avif'],
      mainImage: '/images/a.avif',
      valueImages: {},
      createdAt: sketch.createdAt ?? new Date('2025-01-01T00:00:00Z'),
      valueIds: Object.entries(sketch.offers ?? {}).flatMap(([property, list]) =>
        Object.keys(list).map((value) => `${slug(categoryOf(sketch))}/${property}/${value}`),
      ),
    })),
  });
}

const slug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

const named = (names: Iterable<string>) =>
  [...new Set(names)].map((name) => ({ id: slug(name), name, slug: slug(name) }));

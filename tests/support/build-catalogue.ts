import { buildCatalogueData } from '#src/shop/catalogue/build-catalogue-data.ts';
import type { CatalogueData } from '#src/shop/catalogue/build-catalogue-data.ts';
import { createVariantKey } from '#src/shop/catalogue/products/variants.ts';
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
  /** Combinations of value ids that are not sold. */
  readonly unsold?: readonly (readonly string[])[];
  readonly ownPrices?: readonly { readonly valueIds: readonly string[]; readonly cents: bigint }[];
}

/**
 * Builds a small catalogue. Ids and slugs are names in lower case; a value's id is
 * `category/property/value`.
 */
export function buildCatalogue(sketches: readonly ProductSketch[]): CatalogueData {
  const getCategory = (sketch: ProductSketch): string => sketch.category ?? 'Phones';
  const getBrand = (sketch: ProductSketch): string => sketch.brand ?? 'Apple';
  const offered = sketches.flatMap((sketch) =>
    Object.entries(sketch.offers ?? {}).flatMap(([property, values]) =>
      Object.entries(values).map(([value, increase]) => ({
        categoryId: formatSlug(getCategory(sketch)),
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
    brands: createNamed(sketches.map(getBrand)),
    categories: createNamed(sketches.map(getCategory)),
    properties: [...properties.values()],
    values: [...values.values()],
    products: sketches.map((sketch) => ({
      id: formatSlug(sketch.name),
      name: sketch.name,
      slug: formatSlug(sketch.name),
      article: `A-${formatSlug(sketch.name)}`,
      brandId: formatSlug(getBrand(sketch)),
      categoryId: formatSlug(getCategory(sketch)),
      basePriceCents: cents(sketch.cents ?? 100n),
      soldUnits: sketch.sold ?? 0,
      isSoldOut: false,
      hasSoldOutVariant: false,
      description: 'About it',
      subDescription: 'In short',
      specifications: {},
      images: ['/images/a.avif'],
      mainImage: '/images/a.avif',
      pictureAlts: {},
      valueImages: {},
      energy_label: null,
      createdAt: sketch.createdAt ?? new Date('2025-01-01T00:00:00Z'),
      position: 0,
      unsold: new Set((sketch.unsold ?? []).map(createVariantKey)),
      ownPrices: new Map(
        (sketch.ownPrices ?? []).map(({ valueIds, cents: own }) => [createVariantKey(valueIds), cents(own)]),
      ),
      increases: new Map(
        Object.entries(sketch.offers ?? {}).flatMap(([property, list]) =>
          Object.entries(list).map(
            ([value, increase]) =>
              [`${formatSlug(getCategory(sketch))}/${property}/${value}`, cents(increase)] as const,
          ),
        ),
      ),
    })),
  });
}

const formatSlug = (name: string): string => name.toLowerCase().replaceAll(' ', '-');

const createNamed = (names: Iterable<string>) =>
  [...new Set(names)].map((name) => ({ id: formatSlug(name), name, slug: formatSlug(name) }));

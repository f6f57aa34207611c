import type { ApiCall } from '#src/storefront/api.ts';
import type { FormCategory } from '../product-form.ts';

/** Categories and brands that a product can have. */
export async function loadStructure(call: ApiCall): Promise<{
  readonly categories: readonly FormCategory[];
  readonly brands: readonly { readonly id: string; readonly name: string }[];
}> {
  const [categories, brands] = await Promise.all([call('GET /categories'), call('GET /brands')]);
  return {
    brands,
    categories: categories.map(({ id, name, properties }) => ({
      id,
      name,
      properties: properties.map((property) => ({
        id: property.id,
        name: property.name,
        values: property.values.map((value) => ({
          id: value.id,
          value: value.value,
          increase_usd: value.price_in_usd_increase,
        })),
      })),
    })),
  };
}

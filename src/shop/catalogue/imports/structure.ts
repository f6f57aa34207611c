export interface Named {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
}

/** Brands, categories, properties and values, each sorted by position, then id. */
export interface Structure {
  readonly brands: readonly Named[];
  readonly categories: readonly Named[];
  readonly properties: readonly { readonly id: string; readonly categoryId: string; readonly name: string }[];
  readonly values: readonly { readonly id: string; readonly propertyId: string; readonly value: string }[];
}

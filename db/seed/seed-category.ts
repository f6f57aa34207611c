/** Types of the demo catalogue. */
export interface SeedProduct {
  readonly name: string;
  readonly slug: string;
  readonly article: string;
  /** Default: Apple. */
  readonly brand?: string;
  /** US dollars with the first value of each property. */
  readonly price: number;
  /** One line of at most 60 characters. */
  readonly summary: string;
  readonly about: readonly string[];
  readonly specifications: Readonly<Record<string, string>>;
  /** Values of the category's properties. The first ones must have no surcharge. */
  readonly offers: Readonly<Record<string, readonly string[]>>;
  /** Picture names, the main one first. */
  readonly views: readonly string[];
  /** Views that also exist in every further colour; `views` show the first colour. Default: none. */
  readonly viewsInColor?: readonly string[];
  /** Release date as YYYY-MM-DD. */
  readonly released: string;
  readonly sold: number;
}

export interface SeedCategory {
  readonly name: string;
  readonly slug: string;
  /** Surcharge in US dollars by property and value. */
  readonly properties: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly products: readonly SeedProduct[];
}

/** Values of one property that all cost the same. */
export const atNoExtraCost = (...values: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(values.map((value) => [value, 0]));

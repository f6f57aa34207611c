/** The shape that the demo catalogue is written in. */
export interface SeedProduct {
  readonly name: string;
  readonly slug: string;
  readonly article: string;
  /** Apple when left out. */
  readonly brand?: string;
  /** US dollars with the first value of each property. */
  readonly price: number;
  /** One line of at most 60 characters. */
  readonly summary: string;
  readonly about: readonly string[];
  readonly specifications: Readonly<Record<string, string>>;
  /** Values of the category's properties; those that it starts with must cost nothing more. */
  readonly offers: Readonly<Record<string, readonly string[]>>;
  /** Names of the pictures, the main one first. */
  readonly views: readonly string[];
  /** Those of them that there are in every further colour too; `views` show the first. None when left out. */
  readonly viewsInColor?: readonly string[];
  /** When it came on sale, as YYYY-MM-DD. */
  readonly released: string;
  readonly sold: number;
}

export interface SeedCategory {
  readonly name: string;
  readonly slug: string;
  /** Property to value to increase in US dollars. */
  readonly properties: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly products: readonly SeedProduct[];
}

/** Values of one property that all cost the same. */
export const atNoExtraCost = (...values: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries(values.map((value) => [value, 0]));

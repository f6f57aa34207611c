import { formatCompareUrl } from '../compare/compare-url.ts';
import { compareSpecifications } from '../compare/compare-specifications.ts';

/** What the strip shows of a product. */
interface SimilarProduct {
  readonly slug: string;
  readonly name: string;
  readonly main_image: string;
  readonly lowest_price_btc: number | null;
  readonly lowest_price_usd: number;
  readonly is_price_from: boolean;
  readonly specifications: Readonly<Record<string, string>>;
}

interface ComparedProduct extends Omit<SimilarProduct, 'specifications'> {
  /** What it specifies of each fact. */
  readonly facts: readonly string[];
}

export interface SimilarComparison {
  /** Names of the facts that differ. */
  readonly names: readonly string[];
  /** Of the comparison of these products. */
  readonly url: string;
  /** The product first. */
  readonly products: readonly ComparedProduct[];
}

const SIMILAR_COUNT = 3;
const MAX_FACTS = 4;

/** A product beside those nearest to it in price, with the facts that differ; null if there is nothing to compare. */
export function compareSimilar(product: SimilarProduct, others: readonly SimilarProduct[]): SimilarComparison | null {
  const distanceOf = (other: SimilarProduct) => Math.abs(other.lowest_price_usd - product.lowest_price_usd);
  const nearest = others.toSorted((a, b) => distanceOf(a) - distanceOf(b)).slice(0, SIMILAR_COUNT);
  const products = [product, ...nearest];
  const rows = compareSpecifications(products.map(({ specifications }) => specifications))
    .filter(({ values, isDifferent }) => isDifferent && values.every((value) => value !== null))
    .slice(0, MAX_FACTS);
  if (nearest.length === 0 || rows.length === 0) return null;
  return {
    names: rows.map(({ name }) => name),
    url: formatCompareUrl(products.map(({ slug }) => slug)),
    products: products.map(({ slug, name, main_image, lowest_price_btc, lowest_price_usd, is_price_from }, index) => ({
      slug,
      name,
      main_image,
      lowest_price_btc,
      lowest_price_usd,
      is_price_from,
      facts: rows.map(({ values }) => values[index] ?? ''),
    })),
  };
}

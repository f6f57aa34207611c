import { MAX_ARTICLE } from '../editing/product-limits.ts';
import type { StoredProduct } from '../editing/stored-product.ts';
import type { ImportedProduct } from './imported-product.ts';
import type { UsedNames } from './used-names.ts';

interface ArticleRequest {
  readonly imported: Pick<ImportedProduct, 'article' | 'slug' | 'variants'>;
  readonly present: Pick<StoredProduct, 'content'> | null;
  readonly used: Pick<UsedNames, 'articles'>;
}

/** The article number of a product after the import: that of the file, its own, or one that is free. */
export function chooseArticle(
  { imported, present, used }: ArticleRequest,
  id: string,
  refuse: (message: string) => void,
): string {
  const isFree = (article: string): boolean => (used.articles.get(article) ?? id) === id;
  const { article: given } = imported;
  if (given !== undefined && !isFree(given)) refuse(`Another product has the article number “${given}”`);
  const [only] = imported.variants?.length === 1 ? imported.variants : [];
  const derived = [only?.sku ?? imported.slug, imported.slug].filter(({ length }) => length <= MAX_ARTICLE);
  return given ?? present?.content.article ?? derived.find(isFree) ?? `${imported.slug.slice(0, 40)}-${id.slice(-12)}`;
}

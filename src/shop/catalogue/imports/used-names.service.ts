import type { Db } from '#src/platform/database/database.ts';
import type { StoredProduct } from '../editing/stored-product.ts';
import { createSku } from '../products/variants.ts';
import type { ImportedProduct } from './imported-product.ts';
import { findUsedNames } from './present.store.ts';
import { countCombinations } from './read-products.ts';
import type { UsedNames } from './used-names.ts';

interface NamedBatch {
  readonly batch: readonly ImportedProduct[];
  readonly bySlug: ReadonlyMap<string, StoredProduct>;
  readonly used: UsedNames;
}

/** Finds which of the article numbers and SKUs that these products may use are taken. */
export async function loadUsedNames(db: Db, { batch, bySlug, used }: NamedBatch): Promise<void> {
  const articles = new Set<string>();
  const skus = new Set<string>();
  for (const imported of batch) {
    const present = bySlug.get(imported.slug);
    const lines = imported.variants ?? [];
    const own = [imported.article, present?.content.article, lines[0]?.sku, imported.slug];
    for (const article of own) if (article !== undefined) articles.add(article);
    for (const { sku } of lines) if (sku !== undefined) skus.add(sku);
    const combinations = countCombinations(imported);
    if (combinations <= lines.length && lines.every(({ sku }) => sku !== undefined)) continue;
    const total = combinations + (present?.variants.length ?? 0);
    for (const article of own.filter((name) => name !== undefined)) {
      for (let at = 0; at < total; at += 1) skus.add(createSku(article.slice(0, 50), at, total));
    }
  }
  const found = await findUsedNames(db, [...articles], [...skus]);
  for (const { article, id } of found.articles) if (!used.articles.has(article)) used.articles.set(article, id);
  for (const { sku, id } of found.skus) if (!used.skus.has(sku)) used.skus.set(sku, id);
}

import type { ProductContent } from '../editing/product-content.ts';
import { MAX_DESCRIPTION } from '../editing/product-limits.ts';
import type { StoredProduct } from '../editing/stored-product.ts';
import { formatHtml, parseHtml } from './html-text.ts';
import type { ImportedProduct } from './imported-product.ts';

/** The description of a product after the import. Another text replaces the Markdown of the shop. */
export function chooseDescription(
  { body }: Pick<ImportedProduct, 'body'>,
  present: StoredProduct | null,
  { refuse, notice }: Readonly<Record<'refuse' | 'notice', (message: string) => void>>,
): Pick<ProductContent, 'description' | 'description_markdown'> {
  const { description, description_markdown } = present?.content ?? { description: '', description_markdown: null };
  // A description that came from the shop stays as it is, blanks included.
  if (body === undefined || (present && formatHtml(description) === body)) return { description, description_markdown };
  const text = parseHtml(body);
  if (text.length > MAX_DESCRIPTION) {
    refuse(`The text has ${text.length} characters. At most ${MAX_DESCRIPTION} are allowed`);
  }
  if (text === description) return { description, description_markdown };
  if (description_markdown !== null) notice('The text of the file replaces the Markdown of the shop');
  return { description: text, description_markdown: null };
}

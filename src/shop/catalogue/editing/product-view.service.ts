import { storedContent } from './contract.ts';
import type { ProductContent } from './product-content.ts';
import { getProductState } from './product-state.ts';
import type { ProductState } from './product-state.ts';
import type { StoredProduct } from './stored-product.ts';

/** A product as staff edit it, in the form of the contract. */
export interface EditedProductView {
  readonly id: string;
  readonly version: number;
  readonly state: ProductState;
  readonly has_unpublished_changes: boolean;
  readonly content: ProductContent;
  readonly live_slug: string | null;
  readonly edited_at: Date;
  readonly edited_by: string | null;
}

/** The saved draft, or what is stored. A draft that no longer fits the contract is ignored. */
export function readDraft({ draft }: StoredProduct): ProductContent | null {
  if (draft === null) return null;
  const parsed = storedContent.safeParse(draft);
  return parsed.success ? parsed.data : null;
}

export function toView(stored: StoredProduct): EditedProductView {
  const draft = readDraft(stored);
  return {
    id: stored.id,
    version: stored.version,
    state: getProductState(stored.isPublished, stored.firstPublishedAt),
    has_unpublished_changes: draft !== null,
    content: draft ?? stored.content,
    live_slug: stored.isPublished ? stored.content.slug : null,
    edited_at: stored.editedAt,
    edited_by: stored.editedBy,
  };
}

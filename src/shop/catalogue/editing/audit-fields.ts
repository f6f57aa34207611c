import type { AuditFields } from '#src/shop/audit-log/changed-fields.ts';
import type { ProductContent } from './product-content.ts';

/** A product as audit entries show it, with one field for each variant. */
export const toAuditFields = ({ variants, ...content }: ProductContent, isPublished: boolean): AuditFields => ({
  ...content,
  is_published: isPublished,
  ...Object.fromEntries(
    variants.map(({ sku, value_ids, ...variant }) => [`variant ${sku || value_ids.join()}`, variant]),
  ),
});

import { BulkEdits } from '#src/shop/catalogue/editing/bulk-edits.service.ts';
import { VariantCosts } from '#src/shop/catalogue/costs/service.ts';
import { ProductEditing } from '#src/shop/catalogue/editing/service.ts';
import type { ProductEditingOptions } from '#src/shop/catalogue/editing/service.ts';
import { StructureEditing } from '#src/shop/catalogue/editing/structure.service.ts';
import { SalePrices } from '#src/shop/catalogue/sale-prices/service.ts';

/** What staff change of the catalogue. */
export const createEditing = (options: ProductEditingOptions) => ({
  editing: new ProductEditing(options),
  bulkEdits: new BulkEdits(options),
  structureEditing: new StructureEditing(options),
  salePrices: new SalePrices(options),
  variantCosts: new VariantCosts(options),
});

-- contract: product_variants.product_variants_sku_check kept since 0076
-- SKUs as long as those of other shops.
alter table product_variants
  drop constraint product_variants_sku_check,
  add constraint product_variants_sku_check check (length(sku) between 1 and 255);

-- An import leaves out the products of the file that have errors, if the merchant agrees.
alter table catalogue_imports add column left_out_products integer not null default 0;
-- Handle of the product that has the problem. Null: the file has it.
alter table catalogue_import_problems add column product text;
-- Handle of the product in the file. Null: an earlier release checked it.
alter table catalogue_import_products add column handle text check (length(handle) <= 255);

-- Which products the handles of files became, so that the same product is found again.
create table imported_handles (
  handle text primary key check (length(handle) between 1 and 255),
  product_id uuid not null references products on delete cascade
);
create index imported_handles_by_product on imported_handles (product_id);

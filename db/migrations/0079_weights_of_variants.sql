-- Of one unit, in grams. Null: that of the product.
alter table product_variants add column weight_grams integer check (weight_grams between 1 and 1000000);

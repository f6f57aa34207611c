-- Lists of staff: the variants with the least or most available, and those that are low, sold out or short.
create index variant_stock_by_available on variant_stock (available, variant_id);

-- Variants without a row in variant_stock. Kept by triggers: the difference of two large tables can't be indexed.
create table untracked_variants (
  variant_id uuid primary key references product_variants on delete cascade,
  -- Of the variant, which never changes it.
  product_id uuid not null
);
create index untracked_variants_of_product on untracked_variants (product_id, variant_id);
insert into untracked_variants (variant_id, product_id)
select id, product_id from product_variants
where not exists (select from variant_stock where variant_id = product_variants.id);

create function add_new_variants() returns trigger language plpgsql as $$
begin
  insert into untracked_variants (variant_id, product_id) select id, product_id from changed;
  return null;
end $$;
create trigger variants_begin_untracked after insert on product_variants
  referencing new table as changed for each statement execute function add_new_variants();

create function remove_tracked_variants() returns trigger language plpgsql as $$
begin
  delete from untracked_variants using changed where untracked_variants.variant_id = changed.variant_id;
  return null;
end $$;
create trigger tracking_starts after insert on variant_stock
  referencing new table as changed for each statement execute function remove_tracked_variants();

-- A variant that is deleted with its stock does not exist any more.
create function add_untracked_variants() returns trigger language plpgsql as $$
begin
  insert into untracked_variants (variant_id, product_id)
  select variant.id, variant.product_id from changed join product_variants variant on variant.id = changed.variant_id;
  return null;
end $$;
create trigger tracking_stops after delete on variant_stock
  referencing old table as changed for each statement execute function add_untracked_variants();

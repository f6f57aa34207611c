-- A picture that anything shows can't be deleted: saved drafts, variants and lines of orders count too.
alter table product_drafts add column picture_paths text[] not null default '{}';
update product_drafts set picture_paths = array(
  select distinct found[1] from regexp_matches(content::text, '"(/images/[^"]+)"', 'g') found
);
create index product_drafts_by_picture on product_drafts using gin (picture_paths);
create index product_variants_by_image on product_variants using gin (images) where images <> '{}';
create index order_lines_by_main_image on order_lines (main_image);

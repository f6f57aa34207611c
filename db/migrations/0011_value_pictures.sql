-- Pictures of a product with one of its values, the main one first: its colour. None: the product's own are shown.
alter table product_values add column images text[] not null default '{}';

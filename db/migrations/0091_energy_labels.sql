-- What the energy label of a phone or tablet says. Null: the product has none.
alter table products
  add column energy_label json check (json_typeof(energy_label) = 'object' and octet_length(energy_label::text) < 8192);

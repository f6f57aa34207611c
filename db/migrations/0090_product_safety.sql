-- Manufacturer, responsible person in the EU and warnings. Null: a product has those of its brand, a brand has none.
alter table brands add column safety json check (json_typeof(safety) = 'object' and octet_length(safety::text) < 65536);
alter table products add column safety json check (json_typeof(safety) = 'object' and octet_length(safety::text) < 65536);

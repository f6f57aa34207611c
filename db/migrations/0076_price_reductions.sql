-- Above this reduction in percent, changes of prices and promotions by people need a recent password.
alter table shop_settings
  add column prices_version integer not null default 0,
  add column large_reduction_percent integer not null default 50 check (large_reduction_percent between 0 and 100);

-- The largest reduction of a price, in hundredths of a percent. Null: the file was not checked for it.
alter table catalogue_imports
  add column largest_reduction_basis_points integer check (largest_reduction_basis_points between 0 and 10000);

-- The scope that covered prices and promotions before they had one of their own.
update api_keys set scopes = array_append(scopes, 'prices:write')
where 'catalogue:write' = any(scopes) and not 'prices:write' = any(scopes) and cardinality(scopes) < 100;

-- Tax and shipping settings: one row each, with a version, so that two people who edit them do not overwrite each
-- other. Version 0: never edited. No rates: nothing is taxed.
create table tax_settings (
  id boolean primary key default true check (id),
  version integer not null default 0,
  price_mode text not null default 'gross' check (price_mode in ('gross', 'net')),
  tax_name text not null default 'VAT' check (length(tax_name) between 1 and 20),
  home_country text not null default '' check (home_country ~ '^([A-Z]{2})?$'),
  has_reverse_charge boolean not null default false,
  shipping_class text not null default 'standard'
    check (shipping_class in ('standard', 'reduced', 'super-reduced', 'zero')),
  -- [{"country", "taxClass", "basisPoints"}]
  rates jsonb not null default '[]'
);
insert into tax_settings default values;

create table shipping_settings (
  id boolean primary key default true check (id),
  version integer not null default 0,
  -- [{"name", "countries", "basis", "tiers", "freeFromCents"}]; a zone without countries is for all others.
  zones jsonb not null default
    '[{"name": "Worldwide", "countries": [], "basis": "value", "tiers": [{"from": 0, "priceCents": 0}], "freeFromCents": null}]',
  excluded_countries text[] not null default '{}'
);
insert into shipping_settings default values;

alter table products
  add column tax_class text not null default 'standard'
    check (tax_class in ('standard', 'reduced', 'super-reduced', 'zero')),
  -- Of one unit; null: unknown, counts as 0.
  add column weight_grams integer check (weight_grams between 1 and 1000000);

-- Where the cart's total is computed for. Null: not known yet.
alter table carts
  add column delivery_country text check (delivery_country ~ '^[A-Z]{2}$'),
  add column vat_number text check (length(vat_number) <= 20);

-- total_after is what is paid: goods after the discount, shipping, and tax on top of net prices. Reverse charge takes
-- off the tax that gross prices contain. The discount is what remains, so no cent can be lost between them.
alter table orders
  drop constraint orders_check,
  drop constraint orders_check1,
  add column shipping_cents bigint not null default 0 check (shipping_cents >= 0),
  add column shipping_sats bigint not null default 0 check (shipping_sats >= 0 and shipping_sats % 100 = 0),
  add column added_tax_cents bigint not null default 0 check (added_tax_cents >= 0),
  add column added_tax_sats bigint not null default 0 check (added_tax_sats >= 0 and added_tax_sats % 100 = 0),
  add column deducted_tax_cents bigint not null default 0 check (deducted_tax_cents >= 0),
  add column deducted_tax_sats bigint not null default 0
    check (deducted_tax_sats >= 0 and deducted_tax_sats % 100 = 0),
  -- Snapshot of the tax by line and by rate; null for orders from before.
  add column tax jsonb;
alter table orders
  add column discount_cents bigint not null
    generated always as (total_cents + shipping_cents + added_tax_cents - deducted_tax_cents - total_after_cents) stored
    check (discount_cents between 0 and total_cents),
  add column discount_sats bigint not null
    generated always as (total_sats + shipping_sats + added_tax_sats - deducted_tax_sats - total_after_sats) stored
    check (discount_sats between 0 and total_sats),
  add constraint orders_total_after_check
    check (total_after_cents >= 0 and total_after_sats >= 0 and total_after_sats % 100 = 0);

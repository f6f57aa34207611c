-- Whether consumers in the EU or the United Kingdom can buy here: the shop then shows and sends what they must be given.
alter table shop_settings
  add column consumers_version integer not null default 0,
  add column sells_to_eu_consumers boolean not null default true;

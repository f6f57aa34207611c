-- IANA name. Days of figures and exports, years of invoice numbers and dates of documents are those of this zone.
alter table shop_settings
  add column time_version integer not null default 0,
  add column time_zone text not null default 'UTC' check (length(time_zone) between 1 and 60);

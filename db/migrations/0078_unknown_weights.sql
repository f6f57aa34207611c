-- What an order costs whose weight is unknown, where the price depends on it: as the heaviest, or it is refused.
alter table shipping_settings
  add column unknown_weight text not null default 'heaviest' check (unknown_weight in ('heaviest', 'refuse'));

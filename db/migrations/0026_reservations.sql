-- Quotes of the last day: each new order and each requote, counted per account and per network.
create table quote_counts (
  -- 'user:<id>', or 'network:<IPv4 address or IPv6 /64>'.
  counted text primary key,
  quotes integer not null check (quotes > 0),
  began timestamptz not null
);
create index quote_counts_by_age on quote_counts (began);

alter table stock_holds
  -- Where the order came from; null when limits are off.
  add column network text,
  -- Most of the order's amount was seen on the network: the hold lasts as long as the order.
  add column is_secured boolean not null default false;
create index stock_holds_of_network on stock_holds (network) where not is_secured;
create index stock_holds_of_product on stock_holds (product_id);

-- When an order's window ends once most of its amount is seen. Null: `expires_at` is final. Set while its scarce items
-- are reserved for a short time only.
alter table orders
  add column full_expires_at timestamptz,
  add constraint orders_short_window check (full_expires_at > expires_at);

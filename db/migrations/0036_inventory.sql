-- A count may find fewer units than orders already promise, so an adjustment may leave less than zero available.
-- Reservations take stock only where enough is available.
alter table variant_stock drop constraint variant_stock_never_negative;

-- Read model of the orders: units that are paid and still on the shelf. A restock ends it, and so does shipping.
create index orders_to_ship on orders (id)
  where paid_at is not null and fulfilment_status = 'unfulfilled' and units_returned_at is null;
create view committed_stock as
select line.variant_id, sum(line.quantity)::integer as quantity
from orders join order_lines line on line.order_id = orders.id
where orders.paid_at is not null and orders.fulfilment_status = 'unfulfilled' and orders.units_returned_at is null
  and line.variant_id is not null
group by line.variant_id;

-- Read model of the catalogue: variants that customers can see.
create view variants_on_sale as
select variant.id, variant.product_id
from product_variants variant join products on products.id = variant.product_id
where variant.is_published and products.is_published;

create index products_by_name on products (name, id);
create index product_variants_by_sku_prefix on product_variants (lower(sku) text_pattern_ops);

-- Each change of a variant's stock by staff, and each sale and restock. Only added to.
create table stock_history (
  id bigint generated always as identity primary key,
  variant_id uuid not null references product_variants on delete cascade,
  at timestamptz not null,
  reason text not null
    check (reason in ('received', 'damaged', 'counted', 'returned', 'correction', 'sold', 'restocked')),
  -- Staff. Null: an order, or the source below.
  actor_id uuid references users,
  order_id uuid references orders on delete cascade,
  -- What changed the stock, if neither staff nor an order: such as 'command line'.
  source text check (length(source) between 1 and 40),
  note text check (length(note) between 1 and 200),
  -- Null: the stock was not tracked. On hand is null where only available is known.
  available_before integer,
  available_after integer,
  on_hand_before integer,
  on_hand_after integer,
  -- A repeated request with the same key changes nothing.
  request_key text check (length(request_key) between 1 and 255),
  unique (actor_id, variant_id, request_key),
  check (num_nonnulls(actor_id, order_id, source) = 1)
);
create index stock_history_of_variant on stock_history (variant_id, id desc);

create table inventory_settings (
  is_only_row boolean primary key default true check (is_only_row),
  low_stock_threshold integer not null check (low_stock_threshold between 0 and 100000),
  is_mailed boolean not null,
  -- The last day, in UTC, on which low stock was mailed.
  mailed_on date,
  version integer not null default 1
);
insert into inventory_settings (low_stock_threshold, is_mailed) values (3, true);

-- Thresholds that differ from the shop's.
create table low_stock_thresholds (
  variant_id uuid primary key references product_variants on delete cascade,
  threshold integer not null check (threshold between 0 and 100000)
);

-- Variants whose low stock was mailed, or would have been with mails on. Deleted when there is enough again.
create table low_stock_reports (
  variant_id uuid primary key references product_variants on delete cascade,
  state text not null check (state in ('low', 'sold-out')),
  reported_on date not null
);
create index low_stock_reports_by_day on low_stock_reports (reported_on);

-- Requests of customers for a mail when a variant can be ordered again.
create table stock_alerts (
  id uuid primary key,
  user_id uuid not null references users,
  variant_id uuid not null references product_variants on delete cascade,
  -- Limits the alerts of an account.
  slot smallint not null check (slot between 1 and 50),
  created_at timestamptz not null,
  -- When its mail was enqueued. Null: open.
  claimed_at timestamptz,
  -- Increases when the variant was sold out again before the mail was written.
  attempt integer not null default 1,
  unique (user_id, variant_id),
  unique (user_id, slot)
);
create index stock_alerts_open on stock_alerts (variant_id, id) where claimed_at is null;
create index stock_alerts_claimed on stock_alerts (claimed_at) where claimed_at is not null;

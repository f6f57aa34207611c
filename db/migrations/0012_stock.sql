-- How many of a product may still be ordered; no row for a product of which there are always enough. Its own narrow
-- table: orders lock these rows, readers of products never wait for them.
create table product_stock (
  product_id uuid primary key references products on delete cascade,
  available integer not null constraint product_stock_never_negative check (available >= 0)
);

-- What orders that are not paid hold back; deleted when they are paid, are cancelled or expire.
create table stock_holds (
  order_id uuid not null references orders,
  product_id uuid not null references products,
  quantity integer not null check (quantity > 0),
  primary key (order_id, product_id)
);

-- An order that is quoted again: what it had received by then counts at the rates of that time, and the rest of what is
-- due stands for this much of the total. Null: nothing counts yet, and what is due stands for the whole total.
alter table orders
  add column credited_sats bigint not null default 0 check (credited_sats >= 0),
  -- Outputs first seen up to this moment are what was credited.
  add column credited_until timestamptz,
  add column unpaid_cents bigint check (unpaid_cents between 0 and total_after_cents),
  add constraint orders_credit check (
    (credited_sats = 0) = (credited_until is null) and (credited_sats = 0) = (unpaid_cents is null)
  );

-- Late payments that wait: for a rate, for stock, for staff. Looked at again with every pass over the chain.
create index orders_late on orders (id)
  where recorded_state = 'late' and payment_status in ('pending', 'user_paid', 'expired');

-- Staff are told once that a late payment waits because something is sold out.
create unique index order_events_waits_once on order_events (order_id, kind) where kind = 'late_sold_out';

-- Where the buyer wants money back, should there be any to give back.
create table refund_addresses (
  order_id uuid primary key references orders,
  address text not null check (length(address) between 14 and 100),
  set_at timestamptz not null
);

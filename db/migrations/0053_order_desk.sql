-- Search of orders by words of name, address and phone, or their beginnings. It follows changes and erasure.
alter table orders add column search tsvector generated always as (
  to_tsvector('simple', regexp_replace(lower(
    coalesce(billing ->> 'firstName', '') || ' ' || coalesce(billing ->> 'lastName', '') || ' ' ||
    coalesce(billing ->> 'streetAddress', '') || ' ' || coalesce(billing ->> 'houseNumber', '') || ' ' ||
    coalesce(billing ->> 'postcode', '') || ' ' || coalesce(billing ->> 'city', '') || ' ' ||
    coalesce(billing ->> 'phone', '')), '[^[:alnum:]]+', ' ', 'g'))
) stored;
create index orders_search on orders using gin (search);
create index orders_by_country on orders ((billing ->> 'country'), created_at desc, id desc);
create index orders_by_fulfilment on orders (fulfilment_status, created_at desc, id desc);
create index orders_by_total on orders (total_after_cents);
create index orders_by_promotion on orders (upper(promo ->> 'code'), created_at desc, id desc) where promo is not null;
-- The queue of the parcels to pack, the longest paid first.
create index orders_queue on orders (paid_at, id)
  where payment_status = 'paid' and fulfilment_status in ('unfulfilled', 'partly_shipped') and refund_state is null;
create index refund_addresses_by_address on refund_addresses (address);

-- What staff write about an order, for staff only.
create table order_notes (
  id uuid primary key,
  order_id uuid not null references orders on delete cascade,
  text text not null check (length(text) between 1 and 2000),
  created_at timestamptz not null,
  created_by uuid references users,
  -- A repeated request stores nothing.
  request_key text check (length(request_key) between 1 and 255),
  unique (order_id, request_key)
);
create index order_notes_of_order on order_notes (order_id, created_at, id);

-- Filters of the order list that a member of staff saved; at most one for each slot.
create table order_filters (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  slot integer not null check (slot between 1 and 20),
  name text not null check (length(name) between 1 and 40),
  query text not null check (length(query) <= 1000),
  unique (user_id, slot)
);
create unique index order_filters_by_name on order_filters (user_id, lower(name));

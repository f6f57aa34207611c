-- One row an extended public key: the next address index. Taken by UPDATE … RETURNING, never handed back.
create table wallets (
  account text primary key,
  next_index integer not null default 0 check (next_index between 0 and 2147483646)
);

create sequence order_number start 100001;

create table orders (
  id uuid primary key,
  number bigint not null unique default nextval('order_number'),
  user_id uuid not null references users,
  payment_status text not null
    check (payment_status in ('pending', 'user_paid', 'paid', 'expired', 'cancelled', 'refunded')),
  fulfilment_status text not null default 'unfulfilled'
    check (fulfilment_status in ('unfulfilled', 'shipped', 'delivered')),
  -- Taken by the checkout, freed by paid, expired and cancelled.
  is_open boolean not null,
  billing jsonb not null,
  total_cents bigint not null check (total_cents >= 0),
  total_sats bigint not null check (total_sats >= 0 and total_sats % 100 = 0),
  total_after_cents bigint not null check (total_after_cents between 0 and total_cents),
  total_after_sats bigint not null check (total_after_sats between 0 and total_sats and total_after_sats % 100 = 0),
  discount_percent numeric(5, 2) not null default 0 check (discount_percent between 0 and 100),
  promo jsonb,
  -- The quote: what is due, at which rate, on what evidence, until when.
  due_sats bigint not null check (due_sats >= 0 and due_sats % 100 = 0),
  rate_cents_per_btc bigint not null check (rate_cents_per_btc > 0),
  rate_evidence jsonb not null,
  required_confirmations integer not null check (required_confirmations between 1 and 100),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  user_paid_at timestamptz,
  -- When the chain first made it paid; kept when a reorganisation takes that back.
  paid_at timestamptz,
  expired_at timestamptz,
  cancelled_at timestamptz,
  -- Staff took this much for the whole: it replaces what is due.
  settled_sats bigint check (settled_sats >= 0),
  -- What the timeline last reported of the payment: its state, and what had arrived by then.
  recorded_state text,
  recorded_received_sats bigint not null default 0 check (recorded_received_sats >= 0),
  check (is_open = false or payment_status in ('pending', 'user_paid'))
);
create unique index orders_one_open_a_user on orders (user_id) where is_open;
create index orders_of_user on orders (user_id, created_at desc);
create index orders_to_expire on orders (expires_at) where is_open;

create table order_lines (
  order_id uuid not null references orders,
  position integer not null,
  product_id uuid not null references products,
  name text not null,
  slug text not null,
  main_image text not null,
  property_values jsonb not null,
  quantity integer not null check (quantity between 1 and 99),
  price_cents bigint not null check (price_cents >= 0),
  price_sats bigint not null check (price_sats >= 0),
  is_free boolean not null,
  primary key (order_id, position)
);

-- Every address ever issued, watched for ever. One an order, never used twice.
create table order_addresses (
  script bytea primary key,
  address text not null unique,
  order_id uuid not null unique references orders,
  account text not null references wallets,
  derivation_index integer not null,
  issued_at timestamptz not null,
  unique (account, derivation_index)
);

-- What happened to an order, oldest first: its timeline, and the guard that some things happen once.
create table order_events (
  id uuid primary key,
  order_id uuid not null references orders,
  kind text not null,
  at timestamptz not null,
  details jsonb not null default '{}'
);
create index order_events_of_order on order_events (order_id, id);
create unique index order_events_once on order_events (order_id, kind) where kind in ('created', 'paid');

-- The answer to a request that carried an Idempotency-Key, kept with what the request did, in one transaction.
create table idempotency_keys (
  user_id uuid not null references users on delete cascade,
  endpoint text not null,
  key text not null check (length(key) between 1 and 255),
  request_hash bytea not null,
  order_id uuid references orders,
  created_at timestamptz not null,
  primary key (user_id, endpoint, key)
);

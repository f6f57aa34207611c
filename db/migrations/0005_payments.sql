-- The ledger: every output that ever paid an address of the shop, keyed by its outpoint. Rows are never deleted.
create table payment_outputs (
  txid bytea not null check (length(txid) = 32),
  vout integer not null check (vout >= 0),
  order_id uuid not null references orders,
  amount_sats bigint not null check (amount_sats >= 0),
  is_coinbase boolean not null,
  -- In the mempool or in the best chain; what is not live counts for nothing.
  is_live boolean not null,
  height integer,
  block_hash bytea,
  first_seen timestamptz not null,
  -- Why the last live output left: a conflict took its place, or the mempool let go of it.
  left_because text check (left_because in ('replaced', 'dropped')),
  left_at timestamptz,
  -- Kept to broadcast it again, with what were its unconfirmed ancestors, and to know a conflict with one of them.
  raw_tx bytea not null,
  raw_ancestors bytea[] not null default '{}',
  primary key (txid, vout),
  check ((height is null) = (block_hash is null)),
  check (height is null or is_live)
);
create index payment_outputs_of_order on payment_outputs (order_id);
create index payment_outputs_unconfirmed on payment_outputs (txid) where is_live and height is null;
create index payment_outputs_by_height on payment_outputs (height) where height is not null;

-- The shop's own view of the best chain: the newest blocks, enough to unwind any reorganisation seen in practice.
create table chain_blocks (
  height integer primary key,
  hash bytea not null unique,
  time timestamptz not null
);

-- One row: where the watcher stands.
create table chain_cursor (
  only_row boolean primary key default true check (only_row),
  network text not null,
  height integer not null,
  hash bytea not null,
  -- Grows with every commit of a watcher, which writes only at the revision it read.
  revision integer not null default 0,
  -- When blocks and mempool were last both known to be current, by the shop's clock; expiry waits for it.
  reconciled_at timestamptz
);

-- Outputs too small to be sent to any address: staff see how many there are.
create index payment_outputs_dust on payment_outputs (order_id) include (amount_sats)
  where is_live and amount_sats < 294 and order_id is not null;

-- Roles that one process at a time has. The holder renews its lease by heartbeat; all times are the database's clock.
create table leases (
  role text primary key,
  -- Fencing token: grows with every takeover. The holder's writes check it in their own transaction.
  token bigint not null,
  expires_at timestamptz not null,
  -- The holder's session: the lease is free as soon as that has ended.
  holder_pid integer not null,
  holder_since timestamptz not null,
  -- Other processes ask the holder for a round of its work; what it has completed.
  rounds_asked bigint not null default 0,
  rounds_done bigint not null default 0,
  -- Makes the token part of a key: a takeover waits for transactions that hold the row FOR KEY SHARE, a renewal does not.
  unique (role, token)
);

-- Blocks that staff have read again, to find payments that the ledger lacks. The process that watches the chain does it.
create table chain_rescans (
  id uuid primary key,
  from_height integer not null check (from_height >= 0),
  to_height integer not null check (to_height >= from_height),
  -- Everything below was read, or can't be.
  next_height integer not null,
  -- The node no longer had the blocks up to this one.
  unread_until integer,
  -- Outputs that the ledger lacked.
  found integer not null default 0,
  state text not null default 'open' check (state in ('open', 'done', 'stopped')),
  -- Why it does not go on at the moment, in the source's words.
  problem text,
  asked_by uuid not null references users,
  asked_at timestamptz not null,
  ended_at timestamptz,
  check (next_height between from_height and to_height + 1),
  check ((state = 'open') = (ended_at is null))
);
create unique index chain_rescans_one_open on chain_rescans ((true)) where state = 'open';
create index chain_rescans_by_time on chain_rescans (asked_at desc);

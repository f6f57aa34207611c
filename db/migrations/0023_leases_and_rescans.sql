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

-- Staff may enter an address in the buyer's place, with a reason. It counts from a later moment on, so that the buyer, who is
-- told by mail, can object by naming another one.
alter table refund_addresses
  add column entered_by uuid references users,
  add column reason text check (length(reason) between 1 and 500),
  add column holds_from timestamptz,
  add constraint refund_addresses_entered check (num_nulls(entered_by, reason, holds_from) in (0, 3));

alter table refunds
  -- Recorded by staff after it was sent elsewhere: no instruction of the shop preceded it.
  add column is_elsewhere boolean not null default false,
  -- Of staff, for a refund that was sent elsewhere.
  add column reason text check (length(reason) between 1 and 500),
  add constraint refunds_elsewhere check (
    is_elsewhere = (reason is not null) and (not is_elsewhere or psbt is null)
  );
-- Withdrawn by staff and sent all the same.
create index refunds_sent_though_withdrawn on refunds (order_id)
  where withdrawn_at is not null and state in ('sent', 'confirmed');

-- What staff wrote off, with the accounting entry that it makes.
create table write_offs (
  id uuid primary key,
  order_id uuid not null references orders,
  -- unclaimed: the shop keeps what nobody claimed. paid-twice: the shop bears what it sent back twice.
  kind text not null check (kind in ('unclaimed', 'paid-twice')),
  covers text not null check (covers in ('surplus', 'whole')),
  amount_sats bigint not null check (amount_sats > 0),
  reason text not null check (length(reason) between 1 and 500),
  made_by uuid not null references users,
  made_at timestamptz not null,
  -- When the buyer claimed it after all: the entry is reversed.
  reopened_at timestamptz,
  check (reopened_at is null or (kind = 'unclaimed' and reopened_at >= made_at))
);
create index write_offs_of_order on write_offs (order_id, made_at);

alter table orders
  drop constraint orders_refund_state_check,
  -- written_off: closed with money that nobody claimed; claimed later, it is sent back.
  add constraint orders_refund_state_check check (refund_state in ('refunding', 'refunded', 'written_off')),
  -- The part of returned_sats that was written off.
  add column written_off_sats bigint not null default 0 check (written_off_sats between 0 and returned_sats);
create index orders_written_off on orders (id) where recorded_state = 'written_off';

-- Each time a backup was restored. Refunds made between both moments are unknown to the database.
create table restores (
  restored_at timestamptz primary key,
  backup_at timestamptz not null
);

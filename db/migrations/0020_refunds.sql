-- Where the buyer wants money back is binding once the link was followed that the account's mailbox got.
alter table refund_addresses add column confirmed_at timestamptz;

-- One row a mail that asks to confirm an address for refunds; written when the mail is.
create table refund_address_confirmations (
  id uuid primary key,
  order_id uuid not null references orders,
  -- What it confirms: nothing once the buyer names another.
  address text not null,
  -- SHA-256 of the token in the link.
  token_hash bytea not null unique,
  expires_at timestamptz not null
);
create index refund_address_confirmations_of_order on refund_address_confirmations (order_id);

-- Where refunds go, watched as the shop's own addresses are. Several refunds may go to one.
create table refund_scripts (
  id uuid primary key,
  script bytea not null unique,
  address text not null unique,
  -- As of order_addresses: the watcher asks for those of transactions that it may not have seen yet.
  issued_in xid8 not null default pg_current_xact_id()
);
create index refund_scripts_by_transaction on refund_scripts (issued_in);

-- The ledger holds what paid an order, and what paid a refund.
alter table payment_outputs
  alter column order_id drop not null,
  add column refund_script_id uuid references refund_scripts,
  add constraint payment_outputs_one_payee check (num_nonnulls(order_id, refund_script_id) = 1);
create index payment_outputs_of_refund on payment_outputs (refund_script_id) where refund_script_id is not null;

-- Money that goes back. The shop has no key: the merchant signs, the chain tells what became of it.
create table refunds (
  id uuid primary key,
  order_id uuid not null references orders,
  -- What an order was paid too much, or all that was received for it.
  covers text not null check (covers in ('surplus', 'whole')),
  -- What it takes off what the order has received, and what of it arrives: less by the fee when the buyer bears that.
  debit_sats bigint not null check (debit_sats > 0),
  amount_sats bigint not null check (amount_sats between 1 and debit_sats),
  refund_script_id uuid not null references refund_scripts,
  -- Unsigned, as the merchant gets it; null when it is to be sent from another wallet.
  psbt bytea,
  -- Of that transaction: its id, which signing does not change, and its fee.
  planned_txid bytea check (length(planned_txid) = 32),
  fee_sats bigint check (fee_sats >= 0),
  made_by uuid not null references users,
  made_at timestamptz not null,
  withdrawn_at timestamptz,
  -- made: nothing was seen of it. sent: in the mempool, or in a block that is not deep enough. confirmed: for good, unless a
  -- reorganisation takes it back. withdrawn: staff gave it up; paid all the same, it is sent.
  state text not null default 'made' check (state in ('made', 'sent', 'confirmed', 'withdrawn')),
  -- The output that pays it. Without an index of it, it is staff's word, with the transaction that they named.
  txid bytea check (length(txid) = 32),
  vout integer check (vout >= 0),
  check (num_nulls(psbt, planned_txid, fee_sats) in (0, 3)),
  check (state <> 'withdrawn' or withdrawn_at is not null),
  check (state <> 'made' or withdrawn_at is null),
  check ((state in ('made', 'withdrawn')) = (txid is null)),
  check (vout is null or txid is not null)
);
create index refunds_of_order on refunds (order_id, id);
create index refunds_of_script on refunds (refund_script_id);
create index refunds_under_way on refunds (refund_script_id) where state in ('made', 'sent');
-- An output pays one refund.
create unique index refunds_one_an_output on refunds (txid, vout) where vout is not null;

alter table orders
  -- Of the whole order: a refund is on its way, or has arrived.
  add column refund_state text check (refund_state in ('refunding', 'refunded')),
  -- What confirmed refunds of a surplus have taken.
  add column returned_sats bigint not null default 0 check (returned_sats >= 0);

-- A payment that left can never come back once a transaction that spends the same coins is deep enough in the best
-- chain. Which transaction that is, and the height of its block; null while none is in the best chain.
alter table payment_outputs
  add column conflict_txid bytea check (length(conflict_txid) = 32),
  add column conflict_height integer,
  add constraint payment_outputs_conflict check (
    num_nulls(conflict_txid, conflict_height) in (0, 2) and (conflict_height is null or not is_live)
  );
create index payment_outputs_conflicts on payment_outputs (conflict_height) where conflict_height is not null;
create index payment_outputs_left on payment_outputs (left_at desc) where not is_live and not is_coinbase;

alter table orders
  -- The loss that was last reported to staff and buyer, and since when; null while nothing is lost.
  add column recorded_loss text check (
    recorded_loss in ('double_spent', 'part_double_spent', 'refund_stopped', 'refund_uncovered', 'refund_lost')
  ),
  add column recorded_loss_at timestamptz,
  add constraint orders_recorded_loss check ((recorded_loss is null) = (recorded_loss_at is null)),
  -- What its refunds take: of those that were made and not seen, and of those that were sent.
  add column refund_made_sats bigint not null default 0 check (refund_made_sats >= 0),
  add column refund_sent_sats bigint not null default 0 check (refund_sent_sats >= 0),
  -- Staff closed it as a loss: of its payment, or of what was sent back. Cleared when it is none after all.
  add column closed_as_loss_at timestamptz,
  add column closed_as_loss_of text check (closed_as_loss_of in ('payment', 'refund')),
  add constraint orders_closed_as_loss check ((closed_as_loss_at is null) = (closed_as_loss_of is null));

-- A refund that was sent although it was withdrawn takes the same money as those made in its place: it counts once.
with counted as (
  select order_id, debit_sats, state, withdrawn_at, id, made_at,
    coalesce(sum(debit_sats) filter (where withdrawn_at is null and state in ('sent', 'confirmed')) over before, 0)
      as sent_before,
    coalesce(sum(debit_sats) filter (where withdrawn_at is null) over before, 0) as made_before
  from refunds where state <> 'withdrawn'
  window before as (partition by order_id order by made_at, id rows between unbounded preceding and 1 preceding)
), taken as (
  select order_id,
    coalesce(max(sent_before + debit_sats) filter (where state in ('sent', 'confirmed')), 0) as sent,
    max(made_before + debit_sats) as with_made
  from counted group by order_id
)
update orders set refund_made_sats = taken.with_made - taken.sent, refund_sent_sats = taken.sent
from taken where taken.order_id = orders.id;

-- What may need staff, or stands in the books as a loss.
create index orders_with_loss on orders (id) where recorded_loss is not null or closed_as_loss_at is not null;
create index orders_sent_unpaid on orders (id)
  where fulfilment_status <> 'unfulfilled' and payment_status in ('user_paid', 'expired');

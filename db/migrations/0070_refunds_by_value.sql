-- What a refund returns: the dollars paid at the rate of the refund, or the satoshis that paid them.
-- contract: orders.orders_refund_cents kept since 0066
-- contract: refunds.refunds_amount kept since 0066
-- contract: refunds.refunds_in_kind kept since 0066
-- contract: refunds.refunds_of_amounts kept since 0066
alter table shop_settings
  add column refund_method text not null default 'value' check (refund_method in ('value', 'kind')),
  add column refunds_version integer not null default 0 check (refunds_version >= 0);

-- A refund of an amount covers neither all nor chosen units. Its parts of the lines are in refund_parts.
alter table refunds
  drop constraint refunds_covers_check,
  drop constraint refunds_check,
  -- Null in a row of an earlier release: in kind.
  add column method text check (method in ('value', 'kind')),
  -- Satoshis that it returns, before a fee that the buyer pays. Null: debit_sats.
  add column full_sats bigint check (full_sats > 0),
  -- Dollars of a sale that it returns, and the satoshis for them. Null: of no sale.
  add column value_cents bigint check (value_cents >= 0),
  add column value_sats bigint check (value_sats >= 0),
  -- The part of both that no other refund returned, as a credit note credits it. Null: nothing, as long as it is
  -- withdrawn or another refund took it.
  add column counted_cents bigint check (counted_cents >= 0),
  add column counted_sats bigint check (counted_sats >= 0),
  -- Rate of a refund by value, fixed when it was created, and when the rate was found.
  add column rate_cents_per_btc bigint check (rate_cents_per_btc > 0),
  add column rate_at timestamptz,
  add column rate_evidence jsonb,
  -- Why staff refund an amount.
  add column amount_reason text check (length(amount_reason) between 1 and 500),
  add constraint refunds_covers_check check (covers in ('surplus', 'whole', 'lines', 'amount')),
  add constraint refunds_of_amounts check ((covers = 'amount') = (amount_reason is not null)),
  add constraint refunds_amount check (amount_sats between 1 and coalesce(full_sats, debit_sats)),
  add constraint refunds_in_kind check (method = 'value' or coalesce(full_sats, debit_sats) = debit_sats),
  add constraint refunds_by_value check (
    coalesce(method, 'kind') = 'kind' or num_nulls(full_sats, value_cents, value_sats, rate_cents_per_btc, rate_at) = 0
  ),
  add constraint refunds_value check (
    num_nulls(value_cents, value_sats) in (0, 2) and num_nulls(counted_cents, counted_sats) in (0, 2)
    and counted_cents <= value_cents and counted_sats <= value_sats
  );

-- Net and tax of a refund of an amount by line of its order; without a position: of the shipping.
create table refund_parts (
  refund_id uuid not null references refunds on delete cascade,
  order_id uuid not null,
  position integer,
  net_cents bigint not null check (net_cents >= 0),
  tax_cents bigint not null check (tax_cents >= 0),
  unique nulls not distinct (refund_id, position),
  foreign key (order_id, position) references order_lines on delete cascade
);
create index refund_parts_of_order on refund_parts (order_id);

alter table orders
  -- Dollars that refunds take, created or sent: never more than the order cost.
  add column refund_cents bigint not null default 0,
  -- The confirmed ones of them, and their satoshis.
  add column refunded_cents bigint not null default 0,
  add column refunded_sats bigint not null default 0 check (refunded_sats >= 0),
  add constraint orders_refund_cents check (
    refund_cents between 0 and total_after_cents and refunded_cents between 0 and refund_cents
  );

-- Refunds of earlier releases. Those of lines took what their units cost, those of the whole what was left.
update refunds set value_cents = lines_cents, value_sats = debit_sats,
  counted_cents = case when holds_units then lines_cents end, counted_sats = case when holds_units then debit_sats end
where covers = 'lines';
update refunds refund set value_cents = worth.cents, value_sats = worth.sats, counted_cents = worth.cents,
  counted_sats = worth.sats
from (
  select last.id,
    greatest(orders.total_after_cents - coalesce(lines.cents, 0), 0) as cents,
    least(last.debit_sats, coalesce(orders.settled_sats, orders.due_sats)) as sats
  from (
    select distinct on (order_id) id, order_id, debit_sats from refunds
    where covers = 'whole' and state <> 'withdrawn' order by order_id, made_at desc, id desc
  ) last
  join orders on orders.id = last.order_id and orders.paid_at is not null
  left join lateral (
    select sum(counted_cents) as cents from refunds other where other.order_id = orders.id and other.covers = 'lines'
  ) lines on true
) worth
where refund.id = worth.id;
update orders set refund_cents = least(total_after_cents, taken.cents),
  refunded_cents = least(total_after_cents, taken.confirmed_cents), refunded_sats = taken.confirmed_sats
from (
  select order_id, sum(counted_cents)::bigint as cents,
    coalesce(sum(counted_cents) filter (where state = 'confirmed'), 0)::bigint as confirmed_cents,
    coalesce(sum(counted_sats) filter (where state = 'confirmed'), 0)::bigint as confirmed_sats
  from refunds where counted_cents is not null group by order_id
) taken
where orders.id = taken.order_id;

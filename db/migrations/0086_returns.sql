-- Returns: units of a paid order that the buyer gives up, by withdrawal from the contract (Directive 2011/83/EU,
-- articles 9 to 14), for a defect or by courtesy.
create table returns (
  id uuid primary key,
  -- Random, on the slip and in mails: R- and two groups of four characters that can't be misread.
  reference text not null unique check (reference ~ '^R-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$'),
  order_id uuid not null references orders on delete cascade,
  cause text not null check (cause in ('withdrawal', 'defect', 'courtesy')),
  -- A withdrawal takes effect by itself: it starts as approved.
  state text not null check (
    state in ('requested', 'approved', 'in-transit', 'received', 'inspected', 'closed', 'refused')
  ),
  requested_at timestamptz not null,
  -- What the buyer writes; null: nothing. A withdrawal needs no reason.
  reason text check (length(reason) between 1 and 2000),
  -- 14 days after a withdrawal (article 13(1)). Null: not approved.
  refund_due_at timestamptz,
  -- Approved or refused.
  decided_at timestamptz,
  -- Closed or refused.
  closed_at timestamptz,
  -- How it ended.
  outcome text check (length(outcome) between 1 and 40),
  ticket_id uuid references tickets on delete set null,
  version integer not null default 1 check (version > 0),
  unique (id, order_id),
  check ((state in ('closed', 'refused')) = (closed_at is not null)),
  check ((state = 'requested') = (decided_at is null)),
  check (outcome is null or closed_at is not null),
  check (cause <> 'withdrawal' or refund_due_at is not null)
);
create index returns_of_order on returns (order_id, requested_at);
create index returns_open on returns (refund_due_at, id) where closed_at is null;
create index returns_of_ticket on returns (ticket_id) where ticket_id is not null;

create table return_lines (
  return_id uuid not null,
  order_id uuid not null,
  position integer not null,
  quantity integer not null check (quantity between 1 and 99),
  -- Of the quantity: not shipped, and stopped.
  cancelled_quantity integer not null default 0 check (cancelled_quantity between 0 and quantity),
  -- Of those that were shipped: arrived at the shop.
  received_quantity integer not null default 0,
  -- Of those that arrived: what was decided.
  restocked_quantity integer not null default 0 check (restocked_quantity >= 0),
  damaged_quantity integer not null default 0 check (damaged_quantity >= 0),
  sent_back_quantity integer not null default 0 check (sent_back_quantity >= 0),
  condition text check (length(condition) between 1 and 1000),
  -- For use beyond what shows nature and function of the goods (article 14(2)).
  deduction_cents bigint not null default 0 check (deduction_cents >= 0),
  deduction_reason text check (length(deduction_reason) between 1 and 500),
  primary key (return_id, position),
  foreign key (return_id, order_id) references returns (id, order_id) on delete cascade,
  foreign key (order_id, position) references order_lines on delete cascade,
  check (received_quantity between 0 and quantity - cancelled_quantity),
  check (restocked_quantity + damaged_quantity + sent_back_quantity <= received_quantity),
  check ((deduction_cents > 0) = (deduction_reason is not null))
);
create index return_lines_of_order on return_lines (order_id, position);

-- Statements of withdrawal as they were made (article 11a), also those that name no order of the shop: whoever makes one
-- gets the same response. They are evidence and never change.
create table withdrawals (
  id uuid primary key,
  -- Of its return, too.
  reference text not null unique check (reference ~ '^R-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$'),
  stated_at timestamptz not null,
  -- How the buyer was recognized: a link from a mail, an account, or number and mail address of the order.
  proof text not null check (proof in ('link', 'account', 'address')),
  -- The order of the link or account. Null: found by number and address.
  order_id uuid references orders on delete cascade,
  -- As typed, without the prefix of the shop.
  order_number text not null check (length(order_number) between 1 and 40),
  -- As typed, to find the order by; null for a link or account.
  order_email text check (length(order_email) between 1 and 254),
  name text not null check (length(name) <= 120),
  -- Where the acknowledgement goes besides the address of the order; null: nowhere else.
  acknowledgement_email text check (length(acknowledgement_email) between 1 and 254),
  -- [{position, quantity}]; null: everything that can be withdrawn.
  units jsonb,
  reason text check (length(reason) between 1 and 2000),
  time_zone text not null,
  -- The text that the buyer confirmed.
  statement text not null,
  -- Null: not handled yet.
  handled_at timestamptz,
  result text check (
    result in ('recorded', 'not-found', 'not-paid', 'business', 'period-over', 'nothing-left', 'switched-off')
  ),
  return_id uuid unique references returns on delete cascade,
  erased_at timestamptz,
  check ((handled_at is null) = (result is null)),
  check ((return_id is not null) = (result is not distinct from 'recorded')),
  check ((proof = 'address') = (order_email is not null) or erased_at is not null)
);
create index withdrawals_of_order on withdrawals (order_id, stated_at) where order_id is not null;
create index withdrawals_not_found on withdrawals (stated_at) where result = 'not-found';

create function refuse_withdrawal_change() returns trigger language plpgsql as $$
begin
  if (new.id, new.reference, new.stated_at, new.proof, new.order_number, new.units, new.time_zone)
      is distinct from (old.id, old.reference, old.stated_at, old.proof, old.order_number, old.units, old.time_zone)
    or (old.handled_at is not null
      and (new.handled_at, new.result, new.return_id, new.order_id)
        is distinct from (old.handled_at, old.result, old.return_id, old.order_id))
    or (new.erased_at is not distinct from old.erased_at
      and (new.order_email, new.name, new.acknowledgement_email, new.reason, new.statement)
        is distinct from (old.order_email, old.name, old.acknowledgement_email, old.reason, old.statement))
  then
    raise exception 'a statement of withdrawal never changes';
  end if;
  return new;
end $$;
create trigger withdrawals_never_change before update on withdrawals
  for each row execute function refuse_withdrawal_change();

-- contract: order_lines.order_lines_stopped_or_shipped kept since 0059
-- contract: order_lines.order_lines_returning_of_shipped kept since 0059
-- The previous release keeps both rules as long as nothing is stopped or returning; it can't ship a stopped unit.
-- Units that are not shipped because of a return, and shipped ones that are in one. Refunds of these units count up to
-- the same total: a refund that was made before the return counts besides (the two columns "before").
alter table order_lines
  add column stopped_quantity integer not null default 0 check (stopped_quantity >= 0),
  add column refunded_before_stop integer not null default 0 check (refunded_before_stop >= 0),
  add column returning_quantity integer not null default 0 check (returning_quantity >= 0),
  add column refunded_before_return integer not null default 0 check (refunded_before_return >= 0),
  add constraint order_lines_stopped_or_shipped check (
    shipped_quantity + greatest(
      refunded_unshipped_quantity,
      least(refunded_unshipped_quantity, refunded_before_stop) + stopped_quantity
    ) <= quantity
  ),
  add constraint order_lines_returning_of_shipped check (
    greatest(
      refunded_shipped_quantity,
      least(refunded_shipped_quantity, refunded_before_return) + returning_quantity
    ) <= shipped_quantity
  );

-- Units of a return that are not refunded. Refunds that were made before it do not count.
create function count_unrefunded(taken integer, refunded integer, refunded_before integer)
returns integer language sql immutable parallel safe
return greatest(0, least(refunded, refunded_before) + taken - refunded);

-- URLs that are sent events of the shop. At most ten, so that each event has a bounded number of deliveries.
create table webhook_endpoints (
  id uuid primary key,
  slot smallint not null unique check (slot between 1 and 10),
  url text not null check (length(url) between 1 and 2000),
  description text not null default '' check (length(description) <= 200),
  -- Types of events, such as order.paid.
  event_types text[] not null check (cardinality(event_types) between 1 and 100),
  -- Signing secrets, encrypted with AES-256-GCM. After a rotation the former one signs too, for a day.
  secret bytea not null,
  former_secret bytea,
  former_secret_until timestamptz,
  state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  -- Who or what disabled it: staff, only failures for days, or the receiver with status 410.
  disabled_because text check (disabled_because in ('staff', 'failing', 'gone')),
  disabled_at timestamptz,
  created_at timestamptz not null,
  version integer not null default 1,
  -- The first failure since the last success, and the number of failures since.
  failing_since timestamptz,
  failures integer not null default 0 check (failures >= 0),
  -- After failures in a row nothing is sent before this time.
  paused_until timestamptz,
  -- The process that sends at present. A process that was killed leaves a lease that ends.
  lease_token uuid,
  lease_until timestamptz,
  check ((state = 'disabled') = (disabled_because is not null)),
  check ((state = 'disabled') = (disabled_at is not null)),
  check ((former_secret is null) = (former_secret_until is null))
);

-- What happened, as the JSON text that is sent and signed. Without personal data.
create table webhook_events (
  id uuid primary key,
  type text not null,
  -- What it is about, such as the order. Events of one object are sent in their order.
  object_id uuid not null,
  created_at timestamptz not null,
  body text not null
);
create index webhook_events_by_time on webhook_events (created_at);

-- One row per event and endpoint.
create table webhook_deliveries (
  id uuid primary key,
  -- The order of the events of an object, whose writers are serialized by the lock of the object.
  position bigint generated always as identity,
  endpoint_id uuid not null references webhook_endpoints on delete cascade,
  event_id uuid not null references webhook_events on delete cascade,
  object_id uuid not null,
  created_at timestamptz not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'given_up')),
  -- All attempts, and those since it became pending.
  attempts integer not null default 0,
  tries integer not null default 0,
  next_at timestamptz not null,
  -- After a failure at this time or later it is given up.
  give_up_at timestamptz not null,
  ended_at timestamptz,
  unique (endpoint_id, event_id),
  check ((state = 'pending') = (ended_at is null))
);
create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at, position) where state = 'pending';
create index webhook_deliveries_of_object on webhook_deliveries (endpoint_id, object_id, position)
  where state = 'pending';
create index webhook_deliveries_by_time on webhook_deliveries (endpoint_id, created_at desc, id desc);
create index webhook_deliveries_of_event on webhook_deliveries (event_id);

-- Each request that was sent.
create table webhook_attempts (
  delivery_id uuid not null references webhook_deliveries on delete cascade,
  number integer not null check (number > 0),
  at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  -- Null: no response.
  status integer,
  -- Why it failed; null for a success.
  failure text check (length(failure) <= 200),
  -- The beginning of the response body.
  response text check (length(response) <= 2000),
  primary key (delivery_id, number)
);

-- Variants that sold out, fell to their threshold or came back; written by the trigger below in the transaction of the
-- change and turned into events by the relay.
create table webhook_stock_changes (
  id bigint generated always as identity primary key,
  variant_id uuid not null,
  kind text not null check (kind in ('sold_out', 'low', 'back_in_stock')),
  -- Null: not counted any more.
  available integer,
  changed_at timestamptz not null default now()
);
create index webhook_stock_changes_of_variant on webhook_stock_changes (variant_id, id);

create function record_webhook_stock_change() returns trigger language plpgsql as $$
declare
  before integer := case when tg_op = 'INSERT' then null else old.available end;
  after integer := case when tg_op = 'DELETE' then null else new.available end;
  changed uuid := case when tg_op = 'DELETE' then old.variant_id else new.variant_id end;
  threshold integer;
  kind text;
begin
  if not exists (
    select from webhook_endpoints where state = 'enabled' and event_types && array['stock.sold_out', 'stock.low', 'stock.back_in_stock']
  ) then
    return null;
  end if;
  if (before is null or before > 0) and after <= 0 then
    kind := 'sold_out';
  elsif before <= 0 and (after is null or after > 0) then
    kind := 'back_in_stock';
  elsif after > 0 then
    select coalesce(
      (select low.threshold from low_stock_thresholds low where low.variant_id = changed),
      (select low_stock_threshold from inventory_settings)
    ) into threshold;
    if after <= threshold and (before is null or before > threshold) then
      kind := 'low';
    end if;
  end if;
  if kind is not null then
    insert into webhook_stock_changes (variant_id, kind, available) values (changed, kind, after);
  end if;
  return null;
end $$;
create trigger webhook_stock_changes_of_updates after update of available on variant_stock
  for each row when (old.available is distinct from new.available) execute function record_webhook_stock_change();
create trigger webhook_stock_changes_of_rows after insert or delete on variant_stock
  for each row execute function record_webhook_stock_change();

-- Last number of each series in a year (UTC). Incremented in the transaction that issues the document: a rollback
-- gives the number back, so numbers have no gaps.
create table invoice_numbers (
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null check (year between 2000 and 9999),
  last_number bigint not null default 0 check (last_number >= 0),
  primary key (kind, year)
);

-- Issued documents. A row never changes: everything that is printed is in `content`.
create table invoices (
  id uuid primary key,
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null,
  number bigint not null check (number > 0),
  -- As printed, with the prefix of that time.
  full_number text not null unique,
  order_id uuid not null references orders,
  order_number text not null,
  -- Of a credit note: the refund; null for a cancelled order.
  refund_id uuid references refunds,
  -- Of a credit note: the invoice. Of an invoice: the credit note that it reverses. No foreign key: a restore loads
  -- the rows in any order.
  corrects_id uuid,
  issued_at timestamptz not null,
  buyer_name text not null,
  net_cents bigint not null check (net_cents >= 0),
  tax_cents bigint not null check (tax_cents >= 0),
  gross_cents bigint not null,
  content jsonb not null,
  content_sha256 bytea not null check (length(content_sha256) = 32),
  search_text text not null
    generated always as (lower(full_number || ' ' || order_number || ' ' || buyer_name)) stored,
  unique (kind, year, number),
  check (kind = 'invoice' or corrects_id is not null),
  check (gross_cents = net_cents + tax_cents)
);
create unique index invoices_one_an_order on invoices (order_id) where kind = 'invoice' and corrects_id is null;
-- A credit note is reversed at most once.
create unique index invoices_one_reversal on invoices (corrects_id) where kind = 'invoice' and corrects_id is not null;
create index invoices_of_order on invoices (order_id, issued_at, id);
-- Contains what the list filters by, so that only the rows of a page are read.
create index invoices_by_time on invoices (issued_at desc, id desc) include (kind, year, search_text);

create function refuse_invoice_change() returns trigger language plpgsql as $$
begin
  raise exception 'issued invoices cannot be changed or deleted';
end $$;
create trigger invoices_are_immutable before update or delete on invoices
  for each row execute function refuse_invoice_change();
create trigger invoices_are_kept before truncate on invoices
  for each statement execute function refuse_invoice_change();

-- Orders whose documents are to be checked. Written in the transaction that dispatches the order event.
create table invoice_requests (
  order_id uuid primary key references orders,
  requested_at timestamptz not null,
  -- Failed attempts, and when the next one is due.
  attempts integer not null default 0 check (attempts >= 0),
  next_at timestamptz not null
);
create index invoice_requests_due on invoice_requests (next_at);

-- Orders that were paid before invoices existed get theirs at the next start.
insert into invoice_requests (order_id, requested_at, next_at)
select id, paid_at, paid_at from orders where paid_at is not null;

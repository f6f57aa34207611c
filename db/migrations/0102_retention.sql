-- How long data are kept. Orders and invoices are kept until an owner turns on that they are erased.
alter table shop_settings
  add column retention_version integer not null default 0,
  add column erases_orders boolean not null default false,
  -- Full calendar years after the one in which an order ended, or a document was issued.
  add column order_years integer not null default 10 check (order_years between 2 and 30),
  add column invoice_years integer not null default 10 check (invoice_years between 5 and 30),
  add column message_years integer not null default 3 check (message_years between 1 and 30),
  add column staff_record_years integer not null default 6 check (staff_record_years between 1 and 30);

-- When names, addresses and notes were erased; null: they are stored.
alter table orders add column personal_data_erased_at timestamptz;
create index orders_with_personal_data on orders (created_at, id) where personal_data_erased_at is null;

-- When buyer and content were erased; null: they are stored. Number, date and sums stay.
alter table invoices add column erased_at timestamptz;
create index invoices_with_content on invoices (issued_at, id) where erased_at is null;

-- The only change of an issued document: years later it loses buyer and content.
create or replace function refuse_invoice_change() returns trigger language plpgsql as $$
declare
  erased constant text[] := '{buyer_name,content,erased_at,search_text,folded_text}';
begin
  if tg_op = 'UPDATE' then
    if old.erased_at is null and new.erased_at >= old.issued_at + interval '5 years'
      and new.buyer_name = '' and new.content = '{}'
      and to_jsonb(new) - erased = to_jsonb(old) - erased then
      return new;
    end if;
  end if;
  raise exception 'issued invoices cannot be changed or deleted';
end $$;

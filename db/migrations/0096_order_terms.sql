-- What buyers are given with the confirmation of their order: the terms, and for consumers the withdrawal instruction
-- and the model withdrawal form, with the figures and the seller of that time. Orders with equal texts share a row.
create table order_terms (
  -- SHA-256 of the version and the content.
  digest bytea primary key check (length(digest) = 32),
  terms_kind text not null default 'terms' check (terms_kind = 'terms'),
  -- The version of the terms; null: none was published.
  terms_number integer,
  content jsonb not null,
  stored_at timestamptz not null,
  foreign key (terms_kind, terms_number) references legal_versions (kind, number)
);
create trigger order_terms_never_change before update on order_terms
  for each row execute function refuse_change();

-- Who bears the cost of sending goods back after a withdrawal, which the instruction on withdrawal says.
alter table shop_settings add column pays_return boolean not null default false;

-- File names of the attachments of a mail, whose content is stored for the mailbox of the demo without them.
alter table mails add column attachment_names text[] not null default '{}';

-- Null for an order from before, and for one of a shop that had no texts to give.
alter table orders add column terms_digest bytea references order_terms;

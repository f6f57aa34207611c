-- What an entry says about a customer, such as an address. It is erased with the customer; the rest of the details
-- stays. The details contain the hash of salt and details here.
create table audit_customer_details (
  entry_id bigint primary key references audit_details on delete cascade,
  -- 16 random bytes, so that erased details can't be guessed from their hash.
  salt bytea not null,
  -- JSON with the changed fields before and after.
  details text not null,
  words tsvector generated always as (to_audit_words(details)) stored
);
create index audit_customer_details_words on audit_customer_details using gin (words);
create trigger audit_customer_details_never_change before update on audit_customer_details
  for each row execute function refuse_audit_change();

-- Text that lists of the back office search is stored: it is not computed again for each row that is compared.
alter table audit_details add column words tsvector generated always as (to_audit_words(details)) stored;
drop index audit_details_by_word;
create index audit_details_words on audit_details using gin (words);

alter table tickets add column search_text text not null generated always as (lower(title || ' ' || theme)) stored;

-- Words of name, address and message, or their beginnings.
alter table contact_messages add column search tsvector not null generated always as (
  to_tsvector('simple', regexp_replace(
    lower(first_name || ' ' || last_name || ' ' || email || ' ' || message), '[^[:alnum:]]+', ' ', 'g'))
) stored;
create index contact_messages_search on contact_messages using gin (search);

-- Members of staff among many customers.
create index users_staff on users (id) where role <> 'customer' and deleted_at is null;

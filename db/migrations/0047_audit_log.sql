-- The record of staff changes. Entries are appended only, and each contains the hash of the one before.
create table audit_entries (
  id bigint primary key check (id > 0),
  at timestamptz not null,
  actor_kind text not null check (actor_kind in ('staff', 'command')),
  -- The account of a member of staff. No foreign key: entries outlive the account.
  actor_id uuid,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  -- Of the salted details, which may be erased without breaking the chain.
  details_hash bytea not null,
  previous_hash bytea not null,
  hash bytea not null unique,
  check ((actor_kind = 'staff') = (actor_id is not null))
);
create index audit_entries_by_subject on audit_entries (subject_kind, subject_id, id desc);
create index audit_entries_by_actor on audit_entries (actor_id, id desc);
create index audit_entries_by_action on audit_entries (action, id desc);
create index audit_entries_by_time on audit_entries (at);

create table audit_details (
  entry_id bigint primary key references audit_entries,
  -- 16 random bytes, so that erased details can't be guessed from their hash.
  salt bytea not null,
  -- JSON with the name and address of the actor, and the changed fields before and after.
  details text not null
);

-- One row: the newest entry. Its lock puts entries in the order of their commits.
create table audit_head (
  is_only boolean primary key default true check (is_only),
  entry_id bigint not null,
  hash bytea not null
);
insert into audit_head (entry_id, hash) values (0, decode(repeat('00', 32), 'hex'));

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_entries_never_change before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_entries_never_emptied before truncate on audit_entries
  for each statement execute function refuse_audit_change();
-- Details may be erased, but not rewritten.
create trigger audit_details_never_change before update on audit_details
  for each row execute function refuse_audit_change();

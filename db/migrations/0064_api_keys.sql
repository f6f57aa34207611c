-- Keys with which other systems call the API.
create table api_keys (
  id uuid primary key,
  name text not null check (length(name) between 1 and 60),
  -- SHA-256 of the key, which is shown once.
  key_hash bytea not null unique check (length(key_hash) = 32),
  -- The beginning and the end of the key, to recognize it.
  hint text not null check (length(hint) <= 40),
  scopes text[] not null check (cardinality(scopes) between 1 and 100),
  -- The owner who created it. It is valid only while that account is an owner.
  created_by uuid not null references users,
  created_at timestamptz not null,
  -- Null: never.
  expires_at timestamptz,
  revoked_at timestamptz,
  -- Written at most once a minute.
  last_used_at timestamptz
);
create index api_keys_by_time on api_keys (created_at desc, id desc);

-- Changes with an API key: the actor is the key.
alter table audit_entries drop constraint audit_entries_actor_kind_check;
alter table audit_entries add constraint audit_entries_actor_kind_check
  check (actor_kind in ('staff', 'command', 'api-key'));
alter table audit_entries drop constraint audit_entries_check;
alter table audit_entries add constraint audit_entries_check
  check ((actor_kind = 'command') = (actor_id is null));

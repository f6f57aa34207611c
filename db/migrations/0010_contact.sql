create table contact_messages (
  id uuid primary key,
  first_name text not null check (length(btrim(first_name)) between 1 and 100),
  last_name text not null check (length(btrim(last_name)) between 1 and 100),
  email text not null check (length(email) between 3 and 254),
  message text not null check (length(btrim(message)) between 1 and 4000),
  -- A field that no person sees was filled in: most likely a program's.
  is_suspect boolean not null default false,
  -- SHA-256 of what was written: the same message sent twice in a row is kept once.
  fingerprint bytea not null,
  created_at timestamptz not null
);
create index contact_messages_new on contact_messages (created_at desc, id);
create index contact_messages_same on contact_messages (fingerprint, created_at desc);

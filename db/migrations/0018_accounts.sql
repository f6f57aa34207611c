alter table users
  -- Since when it is known that mails to the address reach the user; null: it is not.
  add column email_confirmed_at timestamptz,
  -- Whoever stood here is gone: the row is kept for the orders that name it, and holds nobody's data.
  add column deleted_at timestamptz;
update users set email_confirmed_at = created_at where is_demo;

alter table sessions
  -- When the password was last given in this session.
  add column authenticated_at timestamptz not null default now(),
  -- In words, for its owner: 'Firefox on Windows'.
  add column device text not null default '';
update sessions set authenticated_at = created_at;

-- One row a mail that asks to confirm an address; written when the mail is.
create table email_confirmations (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- What it confirms: nothing once the user has another address.
  email_key text not null,
  -- SHA-256 of the token in the link.
  token_hash bytea not null unique,
  expires_at timestamptz not null
);
create index email_confirmations_of_user on email_confirmations (user_id);

-- What users are told of changes to their accounts, at the address that they had then.
create table account_notices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('password-changed', 'password-reset', 'address-changed')),
  recipient text not null,
  -- Whether that address was confirmed: what else was written under it is the user's too.
  is_confirmed boolean not null,
  at timestamptz not null
);
create index account_notices_of_user on account_notices (user_id);

-- Who asked for a code, whether or not there is an account: the job that sends it looks.
create table password_reset_requests (
  id uuid primary key,
  email_key text not null,
  created_at timestamptz not null
);

create table password_reset_codes (
  -- The request's, so that a mail that is written again has one code.
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- SHA-256 of the user's id and the code.
  code_hash bytea not null,
  expires_at timestamptz not null
);
create index password_reset_codes_of_user on password_reset_codes (user_id);

-- Codes tried at an address, with or without an account, from wherever: since the last request, and within a day. Taken by
-- conditional updates, so that no number of tries at once goes beyond.
create table password_reset_tries (
  -- SHA-256 of the address.
  address_hash bytea primary key,
  tries integer not null check (tries between 0 and 5),
  day_tries integer not null check (day_tries between 0 and 25),
  day_began timestamptz not null
);

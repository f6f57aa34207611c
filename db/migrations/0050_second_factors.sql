-- The authenticator app (TOTP, RFC 6238) of a member of the team.
create table second_factors (
  user_id uuid primary key references users on delete cascade,
  -- Encrypted with AES-256-GCM.
  secret bytea not null,
  created_at timestamptz not null,
  -- Null: it was shown and not confirmed with a code yet.
  confirmed_at timestamptz,
  -- The newest time step whose code was used; a code is accepted once.
  last_step bigint not null default 0
);

-- Each replaces a code of the app once.
create table recovery_codes (
  user_id uuid not null references users on delete cascade,
  code_hash bytea not null,
  primary key (user_id, code_hash)
);

-- Logins with a correct password that lack the second factor. They are no sessions.
create table pending_logins (
  -- SHA-256 of a token in a cookie.
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  expires_at timestamptz not null,
  attempts integer not null default 0
);
create index pending_logins_user on pending_logins (user_id);

alter table account_notices drop constraint account_notices_kind_check;
alter table account_notices add constraint account_notices_kind_check check (
  kind in (
    'password-changed', 'password-reset', 'address-changed', 'second-factor-added', 'second-factor-removed',
    'recovery-code-used'
  )
);

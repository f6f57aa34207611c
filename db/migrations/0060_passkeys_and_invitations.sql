-- Passkeys (WebAuthn) of members of the team.
create table passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- Chosen by the authenticator.
  credential_id bytea not null unique,
  -- COSE key.
  public_key bytea not null,
  -- Signatures so far, as the authenticator counts them; 0: it does not count.
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null check (name <> ''),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user on passkeys (user_id);

-- What a passkey signs next, at most one for each session or pending login. Deleted with the first use.
create table passkey_challenges (
  session_id uuid unique references sessions on delete cascade,
  login_hash bytea unique references pending_logins on delete cascade,
  challenge bytea not null,
  expires_at timestamptz not null,
  check (num_nonnulls(session_id, login_hash) = 1)
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);

alter table account_notices drop constraint account_notices_kind_check;
alter table account_notices add constraint account_notices_kind_check check (
  kind in (
    'password-changed', 'password-reset', 'address-changed', 'second-factor-added', 'second-factor-removed',
    'recovery-code-used', 'passkey-added', 'passkey-removed'
  )
);

-- Invitations of owners to the team. Ended ones stay for some time: the page of the link says what became of them.
create table invitations (
  id uuid primary key,
  email text not null,
  email_key text not null,
  role text not null check (role in ('owner', 'manager', 'support', 'shipping')),
  -- SHA-256 of the token in the newest link; null until its mail is composed.
  token_hash bytea unique,
  invited_by uuid not null references users,
  created_at timestamptz not null,
  -- Start of the seven days, again with each resending.
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  withdrawn_at timestamptz,
  accepted_at timestamptz,
  accepted_by uuid references users,
  check (withdrawn_at is null or accepted_at is null),
  check ((accepted_at is null) = (accepted_by is null))
);
-- One open invitation for each address.
create unique index invitations_open on invitations (email_key) where withdrawn_at is null and accepted_at is null;

alter table sessions
  -- When the app or a passkey was last used in this session, and a recovery code that no change has used yet.
  add column factor_confirmed_at timestamptz,
  add column recovery_code_used_at timestamptz;

-- Changes of second factors that were authorised by a recovery code. They take effect by themselves after a day unless
-- they are cancelled; the row is deleted in either case.
create table second_factor_changes (
  id uuid primary key,
  -- One at a time for each account.
  user_id uuid not null unique references users on delete cascade,
  kind text not null
    check (kind in ('add-app', 'remove-app', 'add-passkey', 'remove-passkey', 'replace-recovery-codes')),
  requested_at timestamptz not null,
  takes_effect_at timestamptz not null,
  -- SHA-256 of the tokens in the mails with which it can be cancelled.
  token_hashes bytea[] not null default '{}',
  -- What is added: a passkey, or recovery codes as hashes. The app is the unconfirmed one of the account.
  passkey_name text,
  credential_id bytea,
  public_key bytea,
  counter bigint,
  transports text[],
  code_hashes bytea[],
  -- The passkey to be removed.
  passkey_id uuid,
  check (
    (kind = 'add-passkey') = (num_nulls(passkey_name, credential_id, public_key, counter, transports) = 0)
    and (kind = 'replace-recovery-codes') = (code_hashes is not null)
    and (kind = 'remove-passkey') = (passkey_id is not null)
  )
);
create index second_factor_changes_due on second_factor_changes (takes_effect_at);

alter table account_notices drop constraint account_notices_kind_check;
alter table account_notices add constraint account_notices_kind_check check (
  kind in (
    'password-changed', 'password-reset', 'address-changed', 'second-factor-added', 'second-factor-removed',
    'recovery-code-used', 'passkey-added', 'passkey-removed', 'recovery-codes-replaced', 'factor-change-cancelled'
  )
);

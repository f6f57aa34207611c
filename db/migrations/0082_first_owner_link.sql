-- The link of the last start that creates the first owner of a live shop. Deleted with its use.
create table first_owner_link (
  only_row boolean primary key default true check (only_row),
  -- SHA-256 of the token in the link.
  token_hash bytea not null,
  expires_at timestamptz not null
);

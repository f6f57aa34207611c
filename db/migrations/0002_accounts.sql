create table users (
  id uuid primary key,
  username text not null,
  -- NFKC and lower case: what may exist only once.
  username_key text not null unique,
  email text not null,
  email_key text not null unique,
  password_hash text not null,
  role text not null default 'customer' check (role in ('customer', 'staff', 'owner')),
  -- A login that everybody knows; live mode refuses to start while one exists.
  is_demo boolean not null default false,
  created_at timestamptz not null
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  -- SHA-256 of the bearer token; the token itself is never stored.
  token_hash bytea not null unique,
  -- SHA-256 of the session cookie that must accompany the token; null for clients that are no browser.
  cookie_hash bytea unique,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index sessions_user on sessions (user_id);

create table rate_limits (
  key text primary key,
  points integer not null default 0,
  expire bigint
);

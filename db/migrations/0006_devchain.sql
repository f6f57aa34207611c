-- The regtest chain of demo mode; empty everywhere else.
create table devchain_blocks (
  height integer primary key,
  hash bytea not null unique,
  raw bytea not null
);

create table devchain_mempool (
  txid bytea primary key,
  raw bytea not null,
  position bigint not null
);

create table devchain_wallet (
  only_row boolean primary key default true check (only_row),
  secret bytea not null
);

-- When staff answered the buyer of a statement of withdrawal that names no order of the shop; null: not answered.
alter table withdrawals add column answered_at timestamptz;
create index withdrawals_unanswered on withdrawals (stated_at, id) where result = 'not-found' and answered_at is null;

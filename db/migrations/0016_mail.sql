-- What became of each mail, by what it tells of: nothing is told twice. Its words are kept by the demo shop only, whose
-- mailbox this is.
create table mails (
  id bigint generated always as identity primary key,
  event text not null unique check (length(event) between 1 and 200),
  outcome text not null check (outcome in ('delivered', 'refused')),
  at timestamptz not null,
  recipient text,
  subject text,
  text_body text,
  html_body text,
  check (num_nonnulls(recipient, subject, text_body, html_body) in (0, 4))
);
create index mails_of_recipient on mails (lower(recipient), id) where recipient is not null;
create index mails_by_time on mails (at);

-- Events of orders that nobody has yet looked at for what their buyers are to be told: the timeline is the outbox. What
-- happened before there were mails is not told any more.
alter table order_events add column is_told boolean not null default true;
alter table order_events alter column is_told set default false;
create index order_events_untold on order_events (id) where not is_told;

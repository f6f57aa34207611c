-- Staff see tickets by number; customers do not.
alter table tickets
  add column number bigint generated always as identity,
  -- The member of staff who works on it.
  add column assignee_id uuid references users,
  -- Time of the customer's first message since the last answer. Null: answered or closed.
  add column waiting_since timestamptz;
create unique index tickets_by_number on tickets (number);
create index tickets_waiting on tickets (waiting_since, id) where waiting_since is not null;
update tickets set waiting_since = last_message_at
  where status <> 'closed' and not exists (
    select from ticket_messages message where message.id = last_message_id and message.sender_type = 'support');

-- Seen by staff only.
create table ticket_notes (
  id uuid primary key,
  ticket_id uuid not null references tickets on delete cascade,
  author_id uuid not null references users,
  text text not null check (length(btrim(text)) between 1 and 4000),
  created_at timestamptz not null
);
create index ticket_notes_of_ticket on ticket_notes (ticket_id, id);

create table canned_answers (
  id uuid primary key,
  title text not null check (length(btrim(title)) between 1 and 80),
  text text not null check (length(btrim(text)) between 1 and 4000),
  version integer not null default 1,
  updated_at timestamptz not null
);
create unique index canned_answers_by_title on canned_answers (lower(title));

alter table contact_messages
  add column state text not null default 'new' check (state in ('new', 'answered', 'done'));
create index contact_messages_by_state on contact_messages (state, created_at desc, id) where not is_suspect;

create table contact_answers (
  id uuid primary key,
  message_id uuid not null references contact_messages on delete cascade,
  author_id uuid not null references users,
  text text not null check (length(btrim(text)) between 1 and 4000),
  created_at timestamptz not null
);
create index contact_answers_of_message on contact_answers (message_id, id);

-- The shop's public reply to a review.
alter table reviews
  add column reply text check (length(btrim(reply)) between 1 and 2000),
  add column replied_at timestamptz,
  add check ((reply is null) = (replied_at is null));

-- Since when the account can't log in or order.
alter table users add column blocked_at timestamptz;
create index users_by_time on users (created_at desc, id desc) where deleted_at is null;
create index users_blocked on users (blocked_at) where blocked_at is not null;

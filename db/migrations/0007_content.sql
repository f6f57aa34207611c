create table faq_items (
  id uuid primary key,
  question text not null,
  answer text not null,
  position integer not null default 0
);

-- The merchant's texts: sections of the home and delivery pages, the questions, and the legal texts.
-- The contract of a section validates its body before it is stored. The row `faq` has an empty body: its version is that
-- of the order of the questions.
create table content_sections (
  name text primary key check (name in ('hero', 'rows', 'advantages', 'banner', 'partners', 'delivery', 'faq')),
  body jsonb not null check (jsonb_typeof(body) = 'object' and octet_length(body::text) <= 65536),
  is_shown boolean not null default true,
  version integer not null check (version > 0),
  updated_at timestamptz not null,
  updated_by text
);

alter table faq_items add column version integer not null default 1 check (version > 0);

-- One draft of each text. A draft stays after it is published, so that its version never starts again.
create table legal_drafts (
  kind text primary key check (kind in ('terms', 'privacy', 'returns')),
  summary text not null,
  markdown text not null check (octet_length(markdown) <= 262144),
  version integer not null check (version > 0),
  updated_at timestamptz not null,
  updated_by text
);

create table legal_versions (
  kind text not null check (kind in ('terms', 'privacy', 'returns')),
  number integer not null check (number > 0),
  summary text not null,
  markdown text not null,
  published_at timestamptz not null,
  published_by text,
  primary key (kind, number)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows never change', tg_table_name using errcode = 'restrict_violation';
end;
$$;
create trigger legal_versions_never_change before update or delete on legal_versions
  for each row execute function refuse_change();

-- The version of the terms that the user agreed to at registration; null if none was published.
alter table users add column accepted_terms integer check (accepted_terms > 0);

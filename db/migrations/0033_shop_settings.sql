-- Identity and settings of the shop, which its owners change. One row; each section has its own version, so that two
-- people who edit one section do not overwrite each other. Version 0: never edited.
create table shop_settings (
  id boolean primary key default true check (id),

  identity_version integer not null default 0,
  name text not null default '' check (length(name) <= 60),
  home_title text not null default '' check (length(home_title) <= 70),
  description text not null default '' check (length(description) <= 200),
  address text not null default '' check (length(address) <= 200),
  delivery_line text not null default '' check (length(delivery_line) <= 60),
  logo_path text check (logo_path ~ '^/[^/]' and length(logo_path) <= 300),
  favicon_path text check (favicon_path ~ '^/[^/]' and length(favicon_path) <= 300),

  legal_version integer not null default 0,
  company text not null default '' check (length(company) <= 120),
  registration_number text not null default '' check (length(registration_number) <= 60),
  tax_number text not null default '' check (length(tax_number) <= 60),
  contact_email text not null default '' check (length(contact_email) <= 254),
  contact_phone text not null default '' check (length(contact_phone) <= 40),
  footer_note text not null default '' check (length(footer_note) <= 200),

  orders_version integer not null default 0,
  order_prefix text not null default '' check (order_prefix ~ '^([A-Z0-9][A-Z0-9-]{0,9})?$'),
  -- Numbers that were shown with these prefixes are still found.
  former_order_prefixes text[] not null default '{}' check (cardinality(former_order_prefixes) <= 50),

  mail_version integer not null default 0,
  sender_name text not null default '' check (length(sender_name) <= 60),
  mail_footer text not null default '' check (length(mail_footer) <= 500),
  support_email text not null default '' check (length(support_email) <= 254),

  announcement_version integer not null default 0,
  announcement_text text not null default '' check (length(announcement_text) <= 140),
  announcement_link text not null default '' check (length(announcement_link) <= 300),
  announcement_is_on boolean not null default false,
  check (not announcement_is_on or announcement_text <> '')
);

-- A shop with orders continues with the prefix of the numbers that its customers know.
insert into shop_settings (order_prefix) select case when exists (select from orders) then 'CM-' else '' end;

-- The merchant's own text about how to buy; hidden or missing: the standard text.
alter table content_sections drop constraint content_sections_name_check;
alter table content_sections add constraint content_sections_name_check check (
  name in ('search', 'hero', 'rows', 'advantages', 'banner', 'partners', 'delivery', 'guide', 'faq')
);

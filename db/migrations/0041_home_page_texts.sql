-- Title and description of the home page are edited with its other texts.
alter table content_sections drop constraint content_sections_name_check;
alter table content_sections add constraint content_sections_name_check check (
  name in ('search', 'hero', 'rows', 'advantages', 'banner', 'partners', 'delivery', 'faq')
);
insert into content_sections (name, body, version, updated_at)
select 'search', jsonb_build_object('title', home_title, 'description', description), 1, now()
from shop_settings where home_title <> '' or description <> '';
alter table shop_settings drop column home_title, drop column description;

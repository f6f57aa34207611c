-- The PNG icons of a picture, made when it becomes the icon of the shop. They are part of `bytes`.
alter table pictures add column icon_bytes integer not null default 0 check (icon_bytes between 0 and bytes);

-- Uploaded pictures are named as in the catalogue.
update shop_settings set
  logo_path = regexp_replace(logo_path, '^/api(/images/uploads/[0-9a-f]{40})(-\d+)?\.(avif|jpg)$', '\1.avif'),
  favicon_path = regexp_replace(favicon_path, '^/api(/images/uploads/[0-9a-f]{40})(-\d+)?\.(avif|jpg)$', '\1.avif');

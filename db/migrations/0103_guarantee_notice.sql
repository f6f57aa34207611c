-- The official file of the notice of the legal guarantee, a picture of the library; null: not chosen.
alter table shop_settings add column guarantee_notice_path text;

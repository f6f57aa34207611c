-- Markdown of product descriptions. products.description stays the plain text, which everything but the product page shows.
create table product_descriptions (
  product_id uuid primary key references products on delete cascade,
  markdown text not null check (octet_length(markdown) between 1 and 131072),
  -- The parsed Markdown: text, the start of an element, or null for the end of one.
  elements json not null
);

-- An import or a process of the former release writes the plain text only, which then replaces the Markdown.
create function delete_description_markdown() returns trigger language plpgsql as $$
begin
  delete from product_descriptions where product_id = new.id;
  return null;
end;
$$;
create trigger description_replaces_markdown after update of description on products
  for each row when (old.description <> new.description) execute function delete_description_markdown();

-- Increases are those of the product. The category's are only suggested for new products.
alter table product_values add column increase_cents bigint not null default 0 check (increase_cents >= 0);
update product_values set increase_cents = property_values.increase_cents
from property_values where property_values.id = product_values.value_id;

-- The revision of the catalogue in which a product last changed: processes read only what changed.
alter table products add column revision bigint not null default 0;
create index products_by_revision on products (revision);

-- Each combination of one value per property that is or was sold. Never deleted, since orders and stock refer to it.
create table product_variants (
  id uuid primary key,
  product_id uuid not null references products on delete cascade,
  -- Sorted. Without properties: empty.
  property_value_ids uuid[] not null,
  -- Null: the base price plus the increases of its values.
  own_price_cents bigint check (own_price_cents > 0),
  sku text not null unique check (length(sku) between 1 and 64),
  gtin text check (gtin ~ '^([0-9]{8}|[0-9]{12,14})$'),
  -- None: the pictures of its values, then those of the product.
  images text[] not null default '{}',
  is_published boolean not null default true,
  position integer not null default 0,
  unique (product_id, property_value_ids)
);

with recursive offered as (
  select product_values.product_id, product_values.value_id, property_values.position,
    dense_rank() over (
      partition by product_values.product_id order by properties.position, properties.id
    ) as property
  from product_values
  join property_values on property_values.id = product_values.value_id
  join properties on properties.id = property_values.property_id
),
combinations as (
  select id as product_id, 0::bigint as properties, '{}'::uuid[] as value_ids, '{}'::integer[] as positions
  from products
  union all
  select combinations.product_id, combinations.properties + 1, value_ids || offered.value_id,
    positions || offered.position
  from combinations
  join offered on offered.product_id = combinations.product_id and offered.property = combinations.properties + 1
),
numbered as (
  select product_id, array(select id from unnest(value_ids) id order by id) as value_ids,
    row_number() over of_product as number, count(*) over (partition by product_id) as total
  from combinations
  where properties = (
    select coalesce(max(property), 0) from offered where offered.product_id = combinations.product_id
  )
  window of_product as (partition by product_id order by positions, value_ids)
)
insert into product_variants (id, product_id, property_value_ids, sku, position)
select gen_random_uuid(), product_id, value_ids,
  case
    when total = 1 then article
    when exists (select from products other where other.article = products.article || '-' || number)
      then product_id || '-' || number
    else products.article || '-' || number
  end,
  number - 1
from numbered join products on products.id = numbered.product_id;

alter table order_lines
  -- Null: the combination is not known any more.
  add column variant_id uuid references product_variants,
  add column sku text;
update order_lines set variant_id = variant.id, sku = variant.sku
from product_variants variant
where variant.product_id = order_lines.product_id and variant.property_value_ids = array(
  select (value ->> 'id')::uuid from jsonb_array_elements(order_lines.property_values) value order by 1
);

-- Stock that may still be ordered. No row: the variant's stock is not tracked. A narrow table of its own: orders lock
-- these rows, and readers of products never wait for them.
create table variant_stock (
  variant_id uuid primary key references product_variants on delete cascade,
  available integer not null constraint variant_stock_never_negative check (available >= 0)
);
-- The stock of a product goes to its first variant and the others have none, so that nothing is sold twice.
insert into variant_stock (variant_id, available)
select variant.id, case when variant.position = 0 then product_stock.available else 0 end
from product_stock join product_variants variant on variant.product_id = product_stock.product_id;

alter table stock_holds add column variant_id uuid references product_variants;
create temporary table former_holds on commit drop as select * from stock_holds;
delete from stock_holds;
alter table stock_holds drop constraint stock_holds_pkey, drop column product_id;
alter table stock_holds alter column variant_id set not null, add primary key (order_id, variant_id);
create index stock_holds_of_variant on stock_holds (variant_id);
insert into stock_holds (order_id, variant_id, quantity, network, is_secured)
select hold.order_id, line.variant_id, sum(line.quantity), hold.network, hold.is_secured
from former_holds hold
join order_lines line on line.order_id = hold.order_id and line.product_id = hold.product_id
where line.variant_id is not null
group by hold.order_id, line.variant_id, hold.network, hold.is_secured;
drop table product_stock;

-- Changes of what is sold out, for processes that show it: read by transaction id, deleted after a day.
create table stock_changes (
  variant_id uuid not null,
  changed_by xid8 not null default pg_current_xact_id(),
  changed_at timestamptz not null default now()
);
create index stock_changes_by_transaction on stock_changes (changed_by);
create index stock_changes_by_age on stock_changes (changed_at);

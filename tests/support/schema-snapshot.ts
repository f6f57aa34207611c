/** What a program can depend on in a schema, read from PostgreSQL's catalogue. */
import { sql } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';

export interface SchemaColumn {
  readonly type: string;
  readonly isRequired: boolean;
  /** An insert that does not name it works. */
  readonly hasDefault: boolean;
  /** An insert that names it fails. */
  readonly isGenerated: boolean;
}

export interface SchemaRelation {
  readonly isTable: boolean;
  /** Changes when the table is rewritten. */
  readonly file: number | null;
  readonly columns: ReadonlyMap<string, SchemaColumn>;
}

/** A constraint or a unique index. */
export interface SchemaRule {
  readonly relation: string;
  /** Of pg_constraint, such as `c` for a check; `u` for a unique index. */
  readonly kind: string;
  readonly definition: string;
  /** Null: also an expression. */
  readonly columns: readonly string[] | null;
}

export interface SchemaSnapshot {
  readonly relations: ReadonlyMap<string, SchemaRelation>;
  /** By `table.name`. */
  readonly rules: ReadonlyMap<string, SchemaRule>;
  /** Functions with their argument types, and labels of enums as `type.label`. */
  readonly others: ReadonlySet<string>;
}

export async function readSchemaSnapshot(db: Db): Promise<SchemaSnapshot> {
  const { rows: columns } = await sql<SchemaColumn & { relation: string; kind: string; file: number; name: string }>`
    select c.relname as relation, c.relkind as kind, pg_relation_filenode(c.oid)::integer as file, a.attname as name,
      format_type(a.atttypid, a.atttypmod) as type, a.attnotnull as "isRequired",
      d.oid is not null or a.attidentity <> '' as "hasDefault",
      a.attgenerated <> '' or a.attidentity = 'a' as "isGenerated"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
      and c.relname <> 'schema_migrations'`.execute(db);
  const relations = new Map<string, SchemaRelation & { columns: Map<string, SchemaColumn> }>();
  for (const { relation, kind, file, name, ...column } of columns) {
    const isTable = kind === 'r' || kind === 'p';
    const known = relations.get(relation) ?? { isTable, file, columns: new Map<string, SchemaColumn>() };
    relations.set(relation, known);
    known.columns.set(name, column);
  }
  const { rows: rules } = await sql<SchemaRule & { name: string }>`
    select c.relname as relation, con.conname as name, con.contype::text as kind,
      pg_get_constraintdef(con.oid) as definition,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any (con.conkey)) as columns
    from pg_constraint con join pg_class c on c.oid = con.conrelid
    where c.relnamespace = 'public'::regnamespace and con.contype in ('c', 'f', 'p', 'u', 'x')
      and c.relname <> 'schema_migrations'
    union all
    select c.relname, i.relname, 'u', pg_get_indexdef(i.oid),
      case when 0 = any (x.indkey::smallint[]) then null else
        array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any (x.indkey::smallint[])) end
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where c.relnamespace = 'public'::regnamespace and x.indisunique
      and not exists (select from pg_constraint where conindid = i.oid and contype in ('p', 'u', 'x'))`.execute(db);
  const { rows: others } = await sql<{ name: string }>`
    select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace
    union all
    select t.typname || '.' || e.enumlabel from pg_enum e join pg_type t on t.oid = e.enumtypid
    where t.typnamespace = 'public'::regnamespace`.execute(db);
  return {
    relations,
    rules: new Map(rules.map(({ name, ...rule }) => [`${rule.relation}.${name}`, rule])),
    others: new Set(others.map(({ name }) => name)),
  };
}

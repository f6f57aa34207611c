/** Imports with their files, problems and planned products. */
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Db } from '#src/platform/database/database.ts';
import type { StaffActor } from '#src/shop/audit-log/actor.ts';
import { isRunning } from './import-state.ts';
import type { ImportState } from './import-state.ts';
import type { Change } from './list-changes.ts';
import type { NamedPicture } from './cell-reader.ts';
import { insertPictures } from './pictures.store.ts';
import type { ListedProblem } from './problem-list.ts';
import type { Structure } from './structure.ts';

export interface ImportRow {
  readonly id: string;
  readonly filename: string;
  readonly bytes: number;
  readonly createdBy: string | null;
  /** Id of the one who started to apply it. */
  readonly appliedBy: string | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly state: ImportState;
  readonly phase: string;
  readonly done: number;
  readonly total: number;
  readonly lines: number;
  readonly createdProducts: number;
  readonly changedProducts: number;
  readonly unchangedProducts: number;
  /** Those with errors. */
  readonly leftOutProducts: number;
  readonly errors: number;
  readonly notices: number;
  /** Pictures of other sites that are not loaded yet, and those that could not be. */
  readonly pictures: number;
  readonly missingPictures: number;
  readonly isWithoutMissing: boolean;
  readonly message: string | null;
  /** Of a price, in hundredths of a percent. Null for a file that an older release checked. */
  readonly largestReduction: number | null;
}

const COLUMNS = sql`
  imports.id, imports.filename, imports.bytes, users.username as "createdBy", imports.created_at as "createdAt",
  imports.ended_at as "endedAt", imports.state, imports.phase, imports.done, imports.total, imports.lines,
  imports.created_products as "createdProducts", imports.changed_products as "changedProducts",
  imports.unchanged_products as "unchangedProducts", imports.left_out_products as "leftOutProducts", imports.errors, imports.notices, imports.message,
  imports.applied_by as "appliedBy", imports.pictures, imports.missing_pictures as "missingPictures",
  imports.is_without_missing as "isWithoutMissing", imports.largest_reduction_basis_points as "largestReduction"
`;

export interface NewImport {
  readonly id: string;
  readonly filename: string;
  readonly content: Uint8Array;
  readonly userId: string;
  readonly now: Date;
}

/** Whether the import was stored: false while another one runs. */
export async function insertImport(tx: Db, { id, filename, content, userId, now }: NewImport): Promise<boolean> {
  const { rows } = await sql`
    insert into catalogue_imports (id, filename, content, bytes, created_by, created_at, state)
    values (${id}, ${filename}, ${Buffer.from(content.buffer, content.byteOffset, content.byteLength)},
      ${content.byteLength}, ${userId}, ${now}, 'checking')
    on conflict ((true)) where state in ('checking', 'applying') do nothing
    returning id
  `.execute(tx);
  return rows.length > 0;
}

export async function findImport(db: Db, id: string): Promise<ImportRow | null> {
  const { rows } = await sql<ImportRow>`
    select ${COLUMNS} from catalogue_imports imports left join users on users.id = imports.created_by
    where imports.id = ${id}
  `.execute(db);
  return rows[0] ?? null;
}

/** A member of staff in whose name a job works. */
export async function findActor(db: Db, userId: string): Promise<StaffActor | null> {
  const { rows } = await sql<{ username: string }>`
    select username from users where id = ${userId}
  `.execute(db);
  const [user] = rows;
  return user ? { kind: 'staff', userId, username: user.username, ip: null, userAgent: null } : null;
}

/** The role of the one who uploaded the file; empty if the account was erased. */
export async function readCreatorRole(db: Db, id: string): Promise<string> {
  const { rows } = await sql<{ role: string }>`
    select role from users where id = (select created_by from catalogue_imports where id = ${id})
  `.execute(db);
  return rows[0]?.role ?? '';
}

export interface PageRange {
  readonly limit: number;
  readonly offset: number;
}

/** Newest first. */
export async function listImports(db: Db, { limit, offset }: PageRange) {
  const { rows } = await sql<ImportRow>`
    select ${COLUMNS} from catalogue_imports imports left join users on users.id = imports.created_by
    order by imports.created_at desc, imports.id desc limit ${limit} offset ${offset}
  `.execute(db);
  const counted = await sql<{ total: number }>`select count(*)::int as total from catalogue_imports`.execute(db);
  return { rows, total: counted.rows[0]?.total ?? 0 };
}

/** Bytes read at once. */
const PIECE_BYTES = 262_144;

/** Streams the file of an import. */
export async function* readContent(db: Db, id: string): AsyncGenerator<Uint8Array> {
  for (let at = 1; ; at += PIECE_BYTES) {
    const { rows } = await sql<{ piece: Buffer | null }>`
      select substring(content from ${at} for ${PIECE_BYTES}) as piece from catalogue_imports where id = ${id}
    `.execute(db);
    const piece = rows[0]?.piece ?? null;
    if (piece === null || piece.length === 0) return;
    yield piece;
  }
}

export interface Progress {
  readonly phase: string;
  readonly done: number;
  readonly total: number;
}

/** Whether the import is still in this state. */
export async function setProgress(
  db: Db,
  id: string,
  state: ImportState,
  { phase, done, total }: Progress,
): Promise<boolean> {
  const { rows } = await sql`
    update catalogue_imports set phase = ${phase}, done = ${done}, total = ${total}
    where id = ${id} and state = ${state} returning id
  `.execute(db);
  return rows.length > 0;
}

/** Counts a failed attempt of the present step. Returns how many there were. */
export async function countAttempt(db: Db, id: string): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`
    update catalogue_imports set attempts = attempts + 1 where id = ${id} returning attempts
  `.execute(db);
  return rows[0]?.attempts ?? 0;
}

/** Uncounts an attempt that the end of the shop interrupted. */
export async function uncountAttempt(db: Db, id: string): Promise<void> {
  await sql`update catalogue_imports set attempts = attempts - 1 where id = ${id} and attempts > 0`.execute(db);
}

/** Moves an import from a state to another one; false if it is not in that state. */
export async function changeState(
  tx: Db,
  id: string,
  {
    from,
    to,
    message = null,
    now,
  }: { from: readonly ImportState[]; to: ImportState; message?: string | null; now: Date },
): Promise<boolean> {
  const hasEnded = to !== 'checked' && !isRunning(to);
  const { rows } = await sql`
    update catalogue_imports set state = ${to}, message = ${message}, attempts = 0,
      ended_at = ${hasEnded ? now : null}, content = case when ${hasEnded} then null else content end
    where id = ${id} and state = any(${from}::text[]) returning id
  `.execute(tx);
  return rows.length > 0;
}

/** Starts to apply a checked import; null while another one runs or if it can't be applied. */
export async function startApplying(
  tx: Db,
  id: string,
  { by, isWithoutMissing }: { readonly by: string; readonly isWithoutMissing: boolean },
): Promise<boolean> {
  const { rows } = await sql`
    update catalogue_imports set state = 'applying', phase = 'preparing', done = 0, attempts = 0,
      total = created_products + changed_products, applied_by = ${by}, is_without_missing = ${isWithoutMissing},
      missing_pictures = 0
    where id = ${id} and state = 'checked'
      and not exists (select from catalogue_imports other where other.state in ('checking', 'applying'))
    returning id
  `.execute(tx);
  return rows.length > 0;
}

export interface StagedProduct {
  readonly line: number;
  /** Of the file, folded. */
  readonly handle: string;
  readonly productId: string;
  readonly slug: string;
  readonly name: string;
  readonly isNew: boolean;
  readonly revision: bigint;
  /** 0 for a new one. */
  readonly version: number;
  /** JSON for `apply.store.ts`. */
  readonly target: string;
  readonly changes: string;
}

export interface CheckResult {
  readonly lines: number;
  readonly unchanged: number;
  readonly products: readonly StagedProduct[];
  readonly problems: readonly ListedProblem[];
  /** An error of the file itself: nothing can be imported. */
  readonly isFileRefused: boolean;
  /** Number of products with errors. */
  readonly leftOut: number;
  /** All, also those beyond the stored ones. */
  readonly errors: number;
  readonly notices: number;
  /** Pictures of other sites to load, once each. */
  readonly pictures: readonly NamedPicture[];
  readonly structure: Structure;
  readonly structureRevision: bigint;
  readonly message: string | null;
  /** Of a price of a product that exists, in hundredths of a percent. */
  readonly largestReduction: number;
  readonly now: Date;
}

const BATCH = 200;

/** Stores the result of a check; false if the import was cancelled meanwhile. */
export async function storeCheck(tx: Db, id: string, result: CheckResult): Promise<boolean> {
  const { products, unchanged, leftOut, problems, isFileRefused, now } = result;
  const isRefused = isFileRefused || (leftOut > 0 && products.length + unchanged === 0);
  const { rows } = await sql`
    update catalogue_imports set state = ${isRefused ? 'refused' : 'checked'}, attempts = 0, lines = ${result.lines},
      created_products = ${products.filter(({ isNew }) => isNew).length},
      changed_products = ${products.filter(({ isNew }) => !isNew).length}, unchanged_products = ${unchanged},
      left_out_products = ${leftOut}, errors = ${result.errors}, notices = ${result.notices}, structure_revision = ${result.structureRevision},
      pictures = ${result.pictures.length}, structure = ${JSON.stringify(result.structure)}::json, message = ${result.message},
      largest_reduction_basis_points = ${result.largestReduction},
      ended_at = ${isRefused ? now : null}, content = null
    where id = ${id} and state = 'checking' returning id
  `.execute(tx);
  if (rows.length === 0) return false;
  for (let at = 0; at < problems.length; at += BATCH) {
    const batch = problems.slice(at, at + BATCH);
    await sql`
      insert into catalogue_import_problems (import_id, position, severity, line, column_name, product, message)
      select ${id}, ${at} + number, severity, line, column_name, product, message
      from unnest(${batch.map(({ severity }) => severity)}::text[], ${batch.map(({ line }) => line)}::integer[],
        ${batch.map(({ column }) => column)}::text[], ${batch.map(({ product }) => product)}::text[],
        ${batch.map(({ message }) => message)}::text[])
        with ordinality as problem (severity, line, column_name, product, message, number)
    `.execute(tx);
  }
  await insertPictures(tx, id, result.pictures);
  for (let at = 0; at < products.length; at += BATCH) await insertProducts(tx, id, at, products.slice(at, at + BATCH));
  await sql`analyze catalogue_import_products`.execute(tx);
  return true;
}

async function insertProducts(tx: Db, id: string, at: number, batch: readonly StagedProduct[]): Promise<void> {
  await sql`
    insert into catalogue_import_products
      (import_id, position, line, handle, product_id, slug, name, is_new, revision, version, target, changes)
    select ${id}, ${at} + number, line, handle, product_id, slug, name, is_new, revision, version, target::json,
      changes::json
    from unnest(${batch.map(({ line }) => line)}::integer[], ${batch.map(({ handle }) => handle)}::text[],
      ${batch.map(({ productId }) => productId)}::uuid[],
      ${batch.map(({ slug }) => slug)}::text[], ${batch.map(({ name }) => name)}::text[],
      ${batch.map(({ isNew }) => isNew)}::boolean[], ${batch.map(({ revision }) => revision)}::bigint[],
      ${batch.map(({ version }) => version)}::integer[], ${batch.map(({ target }) => target)}::text[], ${batch.map(({ changes }) => changes)}::text[])
      with ordinality as product (line, handle, product_id, slug, name, is_new, revision, version, target, changes, number)
  `.execute(tx);
}

export interface ProblemFilter {
  readonly severity?: 'error' | 'notice' | undefined;
  /** A line number, or a part of the column, product or message. */
  readonly q?: string | undefined;
}

const createPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

export async function listProblems(db: Db, id: string, { severity, q }: ProblemFilter, { limit, offset }: PageRange) {
  const text = q?.trim() ?? '';
  const pattern = createPattern(text);
  const listed = sql<ListedProblem>`
    select severity, line, column_name as "column", product, message, position
    from catalogue_import_problems where import_id = ${id}
    union all
    select 'notice', line, column_name, null,
      'The picture could not be loaded. ' || problem || ': ' || left(url, 200), position
    from catalogue_import_pictures where import_id = ${id} and problem is not null
  `;
  const matched = sql<ListedProblem>`
    select * from (${listed}) listed
    where (${severity ?? null}::text is null or severity = ${severity ?? null})
      and (${text} = '' or line::text = ${text} or "column" ilike ${pattern} or product ilike ${pattern}
        or message ilike ${pattern})
  `;
  const { rows } = await sql<ListedProblem>`
    ${matched} order by severity, line, position limit ${limit} offset ${offset}
  `.execute(db);
  return { rows, total: await countRows(db, matched) };
}

export interface ChangedProduct {
  readonly slug: string;
  readonly name: string;
  readonly line: number;
  readonly isNew: boolean;
  readonly changes: readonly Change[];
}

export async function listChangedProducts(db: Db, id: string, { limit, offset }: PageRange) {
  const listed = sql`
    select slug, name, line, is_new as "isNew", changes from catalogue_import_products where import_id = ${id}
  `;
  const { rows } = await sql<ChangedProduct>`
    ${listed} order by position limit ${limit} offset ${offset}
  `.execute(db);
  return { rows, total: await countRows(db, listed) };
}

async function countRows(db: Db, query: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${query}) listed`.execute(db);
  return rows[0]?.total ?? 0;
}

/** Deletes the imports that started before this time. */
export async function deleteImports(db: Db, before: Date): Promise<void> {
  await sql`delete from catalogue_imports where created_at < ${before}`.execute(db);
}

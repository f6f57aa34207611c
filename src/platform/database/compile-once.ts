/** Statements that are built and compiled once per process. */
import type { Compilable, CompiledQuery, QueryResult, RawBuilder } from 'kysely';
import {
  createQueryId,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely';
import type { Db } from './database.ts';
import { isStalePlan, nameStatement, renameStatement } from './driver/named-statements.ts';

/** Stands for the value of a parameter while a statement is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  /** A statement is the same for all values, so it must not depend on one. */
  [Symbol.toPrimitive](): never {
    throw new Error(`the statement depends on the value of its parameter "${this.name}"`);
  }
}

type Statement<Row> = Compilable<Row> | RawBuilder<Row>;

/** Compiles only. */
const compiler: Db = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const hasPlaceholder = (value: unknown): boolean =>
  Array.isArray(value) && value.some((one) => one instanceof Placeholder);

/** @param template any object of the parameters */
function compile<Params extends object, Row>(
  build: (db: Db, params: Params) => Statement<Row>,
  template: Params,
): CompiledQuery<Row> {
  // Each property that the statement reads is one of its parameters.
  const params = new Proxy({ ...template }, { get: (_target, name) => new Placeholder(String(name)) });
  const compiled = build(compiler, params).compile(compiler);
  if (compiled.parameters.some(hasPlaceholder)) throw new Error(`a parameter is part of a list: ${compiled.sql}`);
  return compiled;
}

/**
 * Executes a prepared statement. If its plan is stale, it gets another name, under which it is prepared again: within a
 * transaction `transact` repeats the work then, otherwise the statement is repeated.
 */
async function executePrepared<Row>(db: Db, statement: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  const name = nameStatement(statement.sql);
  try {
    return await db.executeQuery(statement);
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    renameStatement(statement.sql, name);
    if (db.isTransaction) throw error;
    return db.executeQuery(statement);
  }
}

/**
 * Returns a function that executes the statement, which is prepared. `build` is called at its first use only, with a
 * placeholder for each parameter: building a query costs more than executing it. It must use the values as parameters,
 * and not depend on them. A statement whose best plan depends on its values, such as a search, is not for this.
 */
export function compileOnce<Params extends object, Row>(
  build: (db: Db, params: Params) => Statement<Row>,
): (db: Db, params: Params) => Promise<QueryResult<Row>> {
  let known: CompiledQuery<Row> | null = null;
  return (db, params) => {
    const { sql, query, parameters } = (known ??= compile(build, params));
    const values = parameters.map((value) => (value instanceof Placeholder ? Reflect.get(params, value.name) : value));
    return executePrepared(db, { sql, query, parameters: values, queryId: createQueryId() });
  };
}

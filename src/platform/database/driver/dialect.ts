import { PostgresDialect, PostgresDriver } from 'kysely';
import type { PostgresDialectConfig } from 'kysely';

/**
 * A rollback fails only if the connection is lost, and then the server rolls back by itself. Kysely would throw the
 * error of the rollback instead of the first one, which shows whether a commit was sent.
 */
class FirstErrorDriver extends PostgresDriver {
  override async rollbackTransaction(connection: Parameters<PostgresDriver['rollbackTransaction']>[0]): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => {});
  }
}

/** The dialect of Kysely, with the first error of a failed transaction. */
export class FirstErrorDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): PostgresDriver {
    return new FirstErrorDriver(this.#config);
  }
}

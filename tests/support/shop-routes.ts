/** The routes of the demo shop as it composes them, for tests of their rules and limits. Nothing is started. */
import { rm } from 'node:fs/promises';
import { composeShop } from '#src/app/compose.ts';
import { createRoutes } from '#src/app/create-routes.ts';
import { readSettings } from '#src/app/settings.ts';
import { openDatabase } from '#src/platform/database/database.ts';
import type { AnyRoute } from '#src/platform/http/call.ts';
import { AdjustableClock } from '#src/platform/process/clock.ts';
import { openPasswords } from '#src/platform/security/passwords.ts';
import { noTelemetry } from '#src/platform/telemetry/telemetry.ts';
import { copyDatabase, silentLog } from './database.ts';
import { TEST_SETTINGS } from './shop-process.ts';
import { makeTemporaryDirectory } from './template.ts';

const checkReadiness = () => Promise.resolve({ isReady: true, parts: {} });

export async function readRoutes(): Promise<Readonly<Record<string, AnyRoute>>> {
  const copy = await copyDatabase('seeded');
  const { connection } = copy;
  const dataDir = makeTemporaryDirectory();
  const database = openDatabase({ connection, log: silentLog });
  try {
    const clock = new AdjustableClock();
    const shop = await composeShop({
      settings: readSettings({ ...TEST_SETTINGS, DATA_DIR: dataDir }),
      log: silentLog,
      clock,
      database,
      connection,
      indexDb: database.db,
      passwords: openPasswords(),
      telemetry: noTelemetry,
    });
    return createRoutes({ shop, clock, checkReadiness }, false);
  } finally {
    await database.close();
    await Promise.all([copy.drop(), rm(dataDir, { recursive: true, force: true })]);
  }
}

/** A program that checks the file of an import in a process of its own: `createImportChecker` starts it. */
import { openDatabase } from '#src/platform/database/database.ts';
import { restoreConnection } from '#src/platform/database/database-url.ts';
import { runBoundedProgram } from '#src/platform/process/bounded-program.ts';
import { storeCheckOf } from '#src/shop/catalogue/imports/check.service.ts';
import { listMissingUploads } from '#src/shop/pictures/missing.service.ts';
import { importCheck } from './import-check.ts';
import { createMissingFinder } from './missing-pictures.ts';

const silentLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

runBoundedProgram(async (input) => {
  const { connection, now, ...check } = importCheck.parse(input);
  const database = openDatabase({ connection: restoreConnection(connection), log: silentLog, poolSize: 2 });
  const { db } = database;
  const listMissing = createMissingFinder((paths) => listMissingUploads(db, paths));
  const outcome = await storeCheckOf({ ...check, db, now: new Date(now), pictures: { listMissing } });
  await database.close();
  return { outcome };
});

/** What slices are created with: database, jobs, mails, rates, the settings of the shop. */
import { getBitcoinNetwork } from '#src/platform/bitcoin/network.ts';
import type { AdjustableClock } from '#src/platform/process/clock.ts';
import type { Database, Db } from '#src/platform/database/database.ts';
import type { DatabaseConnection } from '#src/platform/database/database-url.ts';
import { MarkdownParser } from '#src/platform/markdown/markdown-parser.ts';
import { PdfRenderer } from '#src/platform/pdf/pdf-renderer.ts';
import { PubSub } from '#src/platform/database/pub-sub.ts';
import { LeaderLock } from '#src/platform/database/leader-lock.ts';
import { RevisionWatcher } from '#src/platform/database/revisions.ts';
import { openDevices } from '#src/platform/security/devices/devices.ts';
import { openSecretBox } from '#src/platform/security/secret-box.ts';
import { noRateLimits, createRateLimits } from '#src/platform/http/rate-limits.ts';
import { HOURLY_JOB } from '#src/platform/jobs/hourly.ts';
import { openJobs } from '#src/platform/jobs/jobs.ts';
import type { Log } from '#src/platform/process/log.ts';
import { AsyncEvent } from '#src/platform/process/events.ts';
import { MAIL_JOB, Mails } from '#src/platform/mail/mails.ts';
import type { MailKind } from '#src/shop/mail-kinds.ts';
import { createSmtpTransport } from '#src/platform/mail/smtp-transport.ts';
import type { Telemetry } from '#src/platform/telemetry/telemetry.ts';
import type { Passwords } from '#src/platform/security/passwords.ts';
import { createSender } from './create-mail-frame.ts';
import { createRateSource } from './create-sources.ts';
import { createPictures } from './create-pictures.ts';
import { openCharges } from './open-charges.ts';
import { createPriceGuard } from './create-price-guard.ts';
import type { Settings } from './settings.ts';
import { CATALOGUE_IMPORT_JOB } from '#src/shop/catalogue/imports/service.ts';
import { openSignedLinks } from '#src/platform/security/signed-links.ts';
import { RETURN_FILE_JOB } from '#src/shop/returns/files/service.ts';
import { WITHDRAWAL_JOB } from '#src/shop/returns/withdrawal/service.ts';
import { ShopSettings } from '#src/shop/shop-settings/service.ts';

/** The leader runs chain sync and queries the exchanges. The name is older than the second of these. */
const LEADER_ROLE = 'chain-watcher';

export interface ShopResources {
  readonly settings: Settings;
  readonly log: Log;
  readonly clock: AdjustableClock;
  readonly database: Database;
  readonly connection: DatabaseConnection;
  /** A pool of one connection, for the address allocator only. */
  readonly indexDb: Db;
  readonly passwords: Passwords;
  readonly telemetry: Telemetry;
}

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** Opens what every slice can be given. */
export async function openFoundation(resources: ShopResources) {
  const { settings, log, clock, database, connection, passwords, telemetry } = resources;
  const { db } = database;
  const { smtpUrl } = settings;
  const limits = settings.hasRateLimits ? createRateLimits(database.pool) : noRateLimits;
  const queues = [MAIL_JOB, HOURLY_JOB, CATALOGUE_IMPORT_JOB, WITHDRAWAL_JOB, RETURN_FILE_JOB];
  const jobs = openJobs({ connection, queues, log, telemetry });
  const pubSub = new PubSub({ db, connection, log });
  const revisions = new RevisionWatcher({ db, log, pubSub });
  const leaderLock = new LeaderLock({ connection, role: LEADER_ROLE, log });
  const settingsRefreshed = new AsyncEvent<[]>();
  const picturing = createPictures(settings, { db, clock, log, limits });
  const charges = await openCharges({ db, clock, revisions });
  const onRefreshed = settingsRefreshed.emit;
  const { pictures } = picturing;
  const shopSettings = await ShopSettings.open({ db, clock, revisions, pictures, ...charges, onRefreshed });
  revisions.add(shopSettings);
  const getSender = () => createSender(settings, shopSettings);
  const transport = smtpUrl === null ? null : createSmtpTransport({ url: smtpUrl, getSender });
  const priceGuard = createPriceGuard(clock, shopSettings);
  return {
    db,
    clock,
    log,
    limits,
    jobs,
    priceGuard,
    passwords,
    devices: await openDevices(db),
    links: await openSignedLinks(db),
    secrets: await openSecretBox(db),
    isSecondFactorRequired: settings.isSecondFactorRequired,
    network: getBitcoinNetwork(settings.network),
    leaderLock,
    /** A live rate has to be started. */
    rates: createRateSource({ settings, clock, log, db, leader: leaderLock }),
    pubSub,
    revisions,
    markdown: new MarkdownParser(),
    pdf: new PdfRenderer(),
    ...charges,
    shopSettings,
    settingsRefreshed,
    ...picturing,
    telemetry,
    mails: new Mails<MailKind>({
      db,
      clock,
      log,
      jobs,
      limits,
      transport,
      isStoringContent: settings.mode === 'demo',
      telemetry,
    }),
  };
}

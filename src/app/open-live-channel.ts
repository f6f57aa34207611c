import type { FastifyInstance } from 'fastify';
import { LiveServer } from '#src/platform/live/live-server.ts';
import type { Log } from '#src/platform/process/log.ts';
import { getSessionCookieName } from '#src/platform/http/api.ts';
import { SESSION_ENDED_TOPIC } from './create-accounts.ts';
import type { Shop } from './compose.ts';
import type { Settings } from './settings.ts';

interface LiveChannelOptions {
  readonly settings: Settings;
  readonly log: Log;
  readonly shop: Shop;
}

interface LiveChannel {
  readonly origins: ReadonlySet<string>;
  readonly isHttps: boolean;
  readonly maxConnections: number;
}

/** Serves the live channel, with the parts that push changes over it. */
export function openLiveChannel(
  server: FastifyInstance,
  { settings, log, shop }: LiveChannelOptions,
  { origins, isHttps, maxConnections }: LiveChannel,
): void {
  const { accounts, limits, liveOrders, liveStaff, liveTickets, pubSub } = shop;
  const live = new LiveServer({
    identify: (bearer, cookie) => accounts.identify(bearer, cookie),
    listActiveSessions: (sessionIds) => accounts.listActiveSessions(sessionIds),
    sessionCookie: getSessionCookieName(isHttps),
    origins,
    trustedProxies: settings.trustedProxies,
    maxConnections,
    limits,
    log,
    onJoined: (userId) => void liveOrders.sendCurrent(userId),
    onFrame: (peer, frame) => {
      liveTickets.handleFrame(peer, frame);
      liveStaff.handleFrame(peer, frame);
    },
    onLeft: (peer) => {
      liveTickets.removePeer(peer);
      liveStaff.removePeer(peer);
    },
  });
  live.attach(server);
  liveOrders.start(live);
  liveTickets.start();
  liveStaff.start();
  pubSub.subscribe(SESSION_ENDED_TOPIC, (ids) => {
    for (const id of ids) live.closeSession(id);
  });
}

/** The pages from their source, by Vite. Only `npm run dev` loads it: a shop in production has no development packages. */
import middie from '@fastify/middie';
import { createServer } from 'vite';
import { requireServerBuild } from './page-source.ts';
import type { OpenPages } from './page-source.ts';

// Vite injects inline scripts and styles.
const DEVELOPMENT_POLICY = `default-src 'self' 'unsafe-inline' data: ws:; frame-ancestors 'none'`;

/** Vite in this server process, with hot module replacement. */
export const openDevelopmentPages: OpenPages = async (fastify) => {
  const vite = await createServer({
    server: { middlewareMode: true, hmr: { server: fastify.server } },
    appType: 'custom',
  });
  await fastify.register(middie);
  fastify.use(vite.middlewares);
  const moduleId = 'virtual:react-router/server-build';
  const load = async () => requireServerBuild(await vite.ssrLoadModule(moduleId), moduleId);
  return {
    isDevelopment: true,
    builtAt: new Date(),
    load,
    finish: null,
    createStockPolicy: () => DEVELOPMENT_POLICY,
    files: null,
    close: () => vite.close(),
  };
};

import { extname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findOtherLargest, readHash } from '#src/platform/pictures/picture-files.ts';
import { StorageUnavailableError } from '#src/platform/pictures/storage.ts';
import type { PictureStorage } from '#src/platform/pictures/storage.ts';
import { sendRefusal } from './api.ts';
import { createNotFound, Refusal } from './call.ts';

/** JPEGs and PNGs are for mails, which browsers show on pages of mail services. */
const listHeaders = (name: string) =>
  /\.(?:jpg|png)$/.test(name) ? { 'cross-origin-resource-policy': 'cross-origin' } : {};

/** An option of @fastify/static. */
export const allowOtherSites = (reply: FastifyReply, path: string): void => {
  reply.headers(listHeaders(path));
};

const TYPES: Readonly<Record<string, string>> = { '.jpg': 'image/jpeg', '.png': 'image/png' };

/** Serves product pictures below `/api`; paths in the catalogue are relative to it. */
export async function registerPictures(server: FastifyInstance, publicDirectory: string): Promise<void> {
  await server.register(fastifyStatic, {
    root: join(publicDirectory, 'images'),
    prefix: '/api/images/',
    index: false,
    decorateReply: false,
    dotfiles: 'deny',
    maxAge: '1d',
    setHeaders: allowOtherSites,
  });
}

/** Serves uploaded pictures. A name always has the same content, so browsers never ask again. */
export function registerUploads(server: FastifyInstance, storage: PictureStorage): void {
  server.get<{ Params: { readonly name: string } }>('/api/images/uploads/:name', async (request, reply) => {
    const { name } = request.params;
    if (readHash(name) === null) return sendRefusal(reply, createNotFound());
    try {
      const bytes = await readLargest(storage, name);
      if (bytes === null) return await sendRefusal(reply, createNotFound());
      return await reply
        .type(TYPES[extname(name)] ?? 'image/avif')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .headers(listHeaders(name))
        .send(bytes);
    } catch (error) {
      if (!(error instanceof StorageUnavailableError)) throw error;
      return sendRefusal(reply, createUnavailable());
    }
  });
}

/** The file, or the largest that an earlier release stored. Null if there is none. */
async function readLargest(storage: PictureStorage, name: string): Promise<Buffer | null> {
  const bytes = await storage.read(name);
  const other = findOtherLargest(name);
  return bytes === null && other !== null ? storage.read(other) : bytes;
}

const createUnavailable = (): Refusal =>
  new Refusal(503, 'unavailable', 'The picture cannot be shown now', { retryAfterSeconds: 5 });

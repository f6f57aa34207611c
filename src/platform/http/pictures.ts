import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Serves product pictures below `/api`; paths in the catalogue are relative to it. */
export async function registerPictures(server: FastifyInstance, publicDirectory: string): Promise<void> {
  await server.register(fastifyStatic, {
    root: join(publicDirectory, 'images'),
    prefix: '/api/images/',
    index: false,
    decorateReply: false,
    dotfiles: 'deny',
    maxAge: '1d',
  });
}

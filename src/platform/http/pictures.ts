import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** Product pictures: served below `/api`, as their paths in the catalogue are meant. */
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

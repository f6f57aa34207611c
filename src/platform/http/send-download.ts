import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Download } from './call.ts';
import { DOWNLOAD_POLICY } from './security-headers.ts';

/** Sends a file to save: no browser opens it as a page of the shop. */
export const sendDownload = (reply: FastifyReply, { filename, type, pieces }: Download): FastifyReply =>
  reply
    .type(type)
    .headers({
      'content-disposition': `attachment; filename="${filename}"`,
      'content-security-policy': DOWNLOAD_POLICY,
    })
    .send(Readable.from(pieces));

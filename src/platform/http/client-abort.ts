import type { FastifyRequest } from 'fastify';

/** Whether the client closed the connection before its request was complete: no handler has run. */
export const isAborted = ({ raw }: Pick<FastifyRequest, 'raw'>): boolean => raw.destroyed && !raw.complete;
